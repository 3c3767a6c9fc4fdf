/// State that a room keeps for one service in one environment.
///
/// The client makes it when a stage first asks for it, and shuts it down with the service's connections.
public protocol ServiceState: AnyObject, Sendable {
    init(_ service: ServiceScope)
    /// Ends everything that waits. Default: does nothing.
    func close()
}

extension ServiceState {
    public func close() {}
}

/// State that a room keeps for a client, across services and environments.
public protocol ClientState: AnyObject, Sendable {
    init(_ client: ClientScope)
    /// Finishes work that no call waits for. A client that shuts down calls it first. Default: does nothing.
    func settle() async
    /// Ends everything that waits. A client that shuts down calls it before it ends its calls. Default: does nothing.
    func close() async
    /// Writes what is still to be written. A client that shuts down calls it after its calls have ended. Default: does nothing.
    func flush() async
}

extension ClientState {
    public func settle() async {}
    public func close() async {}
    public func flush() async {}
}

/// One value of each type, made when it is first asked for.
struct StateTable: Sendable {
    // A client has few: comparing beats hashing.
    private let states = Locked<[(type: ObjectIdentifier, state: any AnyObject & Sendable)]>([])

    /// The state of a type, made by `make` if there is none.
    func state<State: AnyObject & Sendable>(_ type: State.Type, make: () -> State) -> State {
        if let known = known(type) { return known }
        // Made outside of the lock: a state may ask for another.
        let made = make()
        return states.withLock { states in
            if let known = states.first(where: { $0.type == ObjectIdentifier(type) }) { return unsafeDowncast(known.state, to: State.self) }
            states.append((ObjectIdentifier(type), made))
            return made
        }
    }

    /// The state of a type, or `nil` if nobody has asked for it.
    func known<State: AnyObject & Sendable>(_ type: State.Type) -> State? {
        states.withLock { states in
            states.first { $0.type == ObjectIdentifier(type) }.map { unsafeDowncast($0.state, to: State.self) }
        }
    }

    /// Every state, in the order they were made.
    var all: [any AnyObject & Sendable] { states.withLock { $0.map(\.state) } }
}
