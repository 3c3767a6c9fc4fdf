@_spi(TarmacRooms) import TarmacCore

/// The place where the calls of a service wait for a network. While calls wait, the monitor is observed. One of them
/// tests the host from time to time and resumes the others.
final class ConnectivityGate: Sendable {
    private struct State {
        var waiting = 0
        var known: Connectivity?
        var hosts = HostTable<HostHealth>()
        /// Counts the events that may end a wait.
        var changes = 0
        var watch: Task<Void, Never>?
    }
    private let monitor: any ConnectivityMonitor
    private let state = Locked(State())
    private let room = PausedCalls()

    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(30)

    init(_ monitor: any ConnectivityMonitor) { self.monitor = monitor }

    /// The state that a waiting call decides by.
    struct Look {
        let connectivity: Connectivity?
        fileprivate let changes: Int
    }
    var look: Look { state.withLock { Look(connectivity: $0.known, changes: $0.changes) } }

    /// The number of calls that wait or test their host.
    var waiting: Int { state.withLock { $0.waiting } }

    /// The number of calls that wait.
    var paused: Int { room.count }

    // MARK: Waiting calls

    func enter() {
        state.withLock { state in
            state.waiting += 1
            guard state.watch == nil else { return }
            // LIFETIME: ends with the monitor's stream; cancelled when no call waits any longer.
            state.watch = Task.detached { [weak self, monitor] in
                for await connectivity in monitor.states() { self?.note(connectivity) }
            }
        }
    }

    func leave() {
        let watch = state.withLock { state -> Task<Void, Never>? in
            state.waiting -= 1
            guard state.waiting == 0 else { return nil }
            defer { (state.watch, state.known, state.hosts) = (nil, nil, HostTable()) }
            return state.watch
        }
        watch?.cancel()
    }

    /// Waits until `instant`, or until an event after `look`.
    func pause(_ context: CallContext, until instant: Moment?, since look: Look) async throws {
        try await room.pause(context, until: instant) { [state] in state.withLock { $0.changes != look.changes } }
    }

    func close() { room.close() }

    // MARK: Events

    private func note(_ connectivity: Connectivity) {
        change { $0.known = connectivity }
    }

    /// Records that a host could not be reached.
    func noteFailure(of origin: WebOrigin, now: Moment) {
        state.withLock { $0.hosts.withValue(of: origin, initial: Self.health) { $0.failed(now) } }
    }

    /// Records that a host was reached. The calls that wait for it continue.
    func noteReached(_ origin: @autoclosure () -> WebOrigin) {
        // Nearly every call: no other call waits.
        if waiting == 0 { return }
        let origin = origin()
        change { $0.hosts.withValue(of: origin, initial: Self.health) { $0.answered() } }
    }

    /// Returns when a host is tested next, or `nil` if the caller may test it now.
    func nextProbe(of origin: WebOrigin, now: Moment) -> Moment? {
        state.withLock { state in state.hosts.withValue(of: origin, initial: Self.health) { $0.isSkipped(now) ? $0.downUntil : nil } }
    }

    private static var health: HostHealth { HostHealth(first: firstPause, longest: longestPause) }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            state.changes += 1
        }
        room.wake()
    }
}
