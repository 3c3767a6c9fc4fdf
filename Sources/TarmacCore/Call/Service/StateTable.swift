@_spi(TarmacRooms) import TarmacHTTP

/// State that a module keeps for one service in one environment.
///
/// The client creates it when a stage first uses it. It calls ``close()`` when it shuts down.
public protocol ServiceState: AnyObject, Sendable {
    init(_ service: ServiceScope)
    /// Ends everything that waits. Default: does nothing.
    func close()
}

extension ServiceState {
    public func close() {}
}

/// State that a module keeps for a client, across services and environments.
public protocol ClientState: AnyObject, Sendable {
    init(_ client: ClientScope)
    /// Finishes work that no call waits for. A client that shuts down calls it first. Default: does nothing.
    func settle() async
    /// Ends everything that waits. A client that shuts down calls it before it ends its calls. Default: does nothing.
    func close() async
    /// Writes pending data. A client that shuts down calls it after its calls have ended. Default: does nothing.
    func flush() async
}

extension ClientState {
    public func settle() async {}
    public func close() async {}
    public func flush() async {}
}

/// A table with one value of each type, created on first use.
struct StateTable: Sendable {
    // A client has few states, so comparing is faster than hashing.
    private let states = Locked<[(type: ObjectIdentifier, state: any AnyObject & Sendable)]>([])

    /// Returns the state of a type, and creates it with `make` if there is none.
    func state<State: AnyObject & Sendable>(_ type: State.Type, make: () -> State) -> State {
        if let known = known(type) { return known }
        // Made outside of the lock: a state may use another one.
        let made = make()
        return states.withLock { states in
            if let known = states.first(where: { $0.type == ObjectIdentifier(type) }) { return unsafeDowncast(known.state, to: State.self) }
            states.append((ObjectIdentifier(type), made))
            return made
        }
    }

    /// Returns the state of a type, or `nil` if there is none.
    func known<State: AnyObject & Sendable>(_ type: State.Type) -> State? {
        states.withLock { states in
            states.first { $0.type == ObjectIdentifier(type) }.map { unsafeDowncast($0.state, to: State.self) }
        }
    }

    /// All states, in the order of their creation.
    var all: [any AnyObject & Sendable] { states.withLock { $0.map(\.state) } }
}
