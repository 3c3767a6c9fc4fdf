@_spi(TarmacRooms) import TarmacCore

/// The hosts of a service that could not be reached recently.
final class HostAvailability: ServiceState {
    private struct State {
        var hosts = HostTable<HostHealth>()
        /// Whether a host has failed and not answered since.
        var isAnyDown = false
    }
    private let state = Locked(State())

    init(_ service: ServiceScope) {}

    /// Whether a host has failed and not answered since.
    var knowsFailures: Bool { state.withLock { $0.isAnyDown } }

    /// Returns the bases in the order in which to ask them.
    func order(_ bases: [HTTPURL], now: Moment) -> [HTTPURL] {
        state.withLock { state in
            HostHealth.order(bases) { state.hosts.withValue(of: $0, initial: HostHealth()) { $0.isSkipped(now) } }
        }
    }

    func noteFailure(of origin: WebOrigin, now: Moment) {
        state.withLock { state in
            state.isAnyDown = true
            state.hosts.withValue(of: origin, initial: HostHealth()) { $0.failed(now) }
        }
    }

    func noteAnswer(of origin: WebOrigin) {
        state.withLock { state in
            state.hosts.withValue(of: origin, initial: HostHealth()) { $0.answered() }
            state.isAnyDown = state.hosts.contains { $0.downUntil != nil }
        }
    }
}
