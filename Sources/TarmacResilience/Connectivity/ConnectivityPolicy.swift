import TarmacCore

/// Decides about a request that could not reach its host while its call waits for connectivity (pure).
struct ConnectivityPolicy: Sendable {
    /// What the monitor says; `nil` before it has said anything.
    let state: Connectivity?
    /// Whether the request has been sent since the machine was last without a network.
    let wasSentConnected: Bool
    /// Until when the call can wait.
    let limit: ContinuousClock.Instant?

    enum Decision: Equatable {
        /// The failure is the call's.
        case fail
        /// Send it again at once: the machine is on a network now.
        case send
        /// Wait for a change, and look by oneself now and then.
        case probe
        /// Wait for a change: before it nothing can arrive.
        case wait
    }

    func decide(_ request: Request, _ failure: TarmacError, now: ContinuousClock.Instant) -> Decision {
        guard Self.isUnreachable(failure), request.body.isReplayable else { return .fail }
        if let limit, now >= limit { return .fail }
        return switch state {
        case .connected: wasSentConnected ? .fail : .send
        case .disconnected: .wait
        case .unknown, nil: .probe
        }
    }

    /// Whether the failure can have its cause in a machine without a network.
    static func isUnreachable(_ failure: TarmacError) -> Bool {
        failure.isConnectionFailure && failure.reach == .notSent && !exceptions.contains(failure.code)
    }

    /// A host or a proxy that refuses was reached, and behind an open circuit no host was asked.
    private static let exceptions: Set<TarmacError.Code> = [.connectionRefused, .proxyFailed, .circuitOpen]
}
