import TarmacCore

/// Where the calls of a service wait for a network. While some do, the monitor is listened to; one of them looks now and then
/// whether its host can be reached, and wakes the others.
final class ConnectivityGate: Sendable {
    private struct State {
        var waiting = 0
        var known: Connectivity?
        var hosts = HostTable<HostHealth>()
        /// Counts what may be the end of a wait.
        var changes = 0
        var watch: Task<Void, Never>?
    }
    private let monitor: any ConnectivityMonitor
    private let state = Locked(State())
    private let room = WaitingRoom()

    private static let firstPause = Duration.seconds(1)
    private static let longestPause = Duration.seconds(30)

    init(_ monitor: any ConnectivityMonitor) { self.monitor = monitor }

    /// What a waiting call goes by.
    struct Look {
        let connectivity: Connectivity?
        fileprivate let changes: Int
    }
    var look: Look { state.withLock { Look(connectivity: $0.known, changes: $0.changes) } }

    /// How many calls wait, or look.
    var waiting: Int { state.withLock { $0.waiting } }

    /// How many of them wait.
    var paused: Int { room.count }

    // MARK: Those who wait

    func enter() {
        state.withLock { state in
            state.waiting += 1
            guard state.watch == nil else { return }
            // LIFETIME: ends with the monitor's stream; cancelled when nobody waits any more.
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

    /// Waits until `instant`, or until something has happened since the look.
    func pause(_ context: CallContext, until instant: ContinuousClock.Instant?, since look: Look) async throws {
        try await room.pause(context, until: instant) { [state] in state.withLock { $0.changes != look.changes } }
    }

    func close() { room.close() }

    // MARK: What happens

    private func note(_ connectivity: Connectivity) {
        change { $0.known = connectivity }
    }

    /// A host could not be reached.
    func noteFailure(of origin: WebOrigin, now: ContinuousClock.Instant) {
        state.withLock { $0.hosts.withValue(of: origin, initial: Self.health) { $0.failed(now) } }
    }

    /// A host was reached: whoever waits for it goes on.
    func noteReached(_ origin: @autoclosure () -> WebOrigin) {
        // Nearly every call: nobody waits.
        if waiting == 0 { return }
        let origin = origin()
        change { $0.hosts.withValue(of: origin, initial: Self.health) { $0.answered() } }
    }

    /// When a host is looked at next; `nil` when it is now, by whoever asks.
    func nextProbe(of origin: WebOrigin, now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
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
