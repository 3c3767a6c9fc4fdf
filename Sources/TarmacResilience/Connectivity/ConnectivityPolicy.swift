package import TarmacCore
import TarmacSupport

/// Decides about a request that could not reach its host while its call waits for connectivity (pure).
package struct ConnectivityPolicy: Sendable {
    /// The state that the monitor reports. `nil` before its first report.
    let state: Connectivity?
    /// Whether the request was sent since the device last had no network.
    let wasSentConnected: Bool
    /// The time until which the call can wait.
    let limit: Moment?

    enum Decision: Equatable {
        /// The call ends with the failure.
        case fail
        /// Send the request now, because the device has a network.
        case send
        /// Wait for a change, and test the host from time to time.
        case probe
        /// Wait for a change, because without one the host cannot be reached.
        case wait
    }

    func decide(_ request: Request, _ failure: TarmacError, now: Moment) -> Decision {
        guard Self.isUnreachable(failure), request.body.isReplayable else { return .fail }
        if let limit, now >= limit { return .fail }
        return switch state {
        case .connected: wasSentConnected ? .fail : .send
        case .disconnected: .wait
        case .unknown, nil: .probe
        }
    }

    /// Whether a missing network can be the cause of the failure.
    package static func isUnreachable(_ failure: TarmacError) -> Bool {
        failure.isConnectionFailure && failure.reach == .notSent && !failure.code.isHeldBack && !exceptions.contains(failure.code)
    }

    /// A host or a proxy that refuses a connection was reached. A request that is held back, as by an open circuit, asked no host.
    private static let exceptions: Set<TarmacError.Code> = [.connectionRefused, .proxyFailed]
}
