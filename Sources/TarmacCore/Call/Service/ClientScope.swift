@_spi(TarmacRooms) import TarmacHTTP

/// The part of a client that modules work with: its clocks, its randomness, and the state that modules keep in it.
public final class ClientScope: Sendable {
    /// The clocks.
    public let time: any TimeSource
    /// The source of randomness for jitter and keys.
    package let randomness: Randomness
    package let deadlines: DeadlineHeap
    /// The monitor that reports whether there is a network.
    public let connectivity: any ConnectivityMonitor
    /// The changes that this client's calls have made on servers.
    package let changes = ChangeLog()
    private let states = StateTable()
    private struct Reference { weak var engine: (any AnyObject & Sendable)? }
    private let engine = Locked(Reference())

    init(time: any TimeSource, randomness: Randomness, deadlines: DeadlineHeap, connectivity: any ConnectivityMonitor) {
        self.time = time
        self.randomness = randomness
        self.deadlines = deadlines
        self.connectivity = connectivity
    }

    /// Returns the state of a type, and creates it on first use.
    public func state<State: ClientState>(_ type: State.Type) -> State { states.state(type) { State(self) } }

    /// Returns the state of a type, or `nil` if it has not been created yet.
    package func existingState<State: ClientState>(_ type: State.Type) -> State? { states.known(type) }

    /// The client's engine, or `nil` once it is gone.
    var owner: (any AnyObject & Sendable)? { engine.withLock { $0.engine } }

    func setOwner(_ engine: any AnyObject & Sendable) { self.engine.withLock { $0.engine = engine } }

    var allStates: [any ClientState] { states.all.compactMap { $0 as? any ClientState } }
}
