/// The state of the machine's connection to a network.
public enum Connectivity: Hashable, Sendable {
    /// A network is available.
    case connected
    /// No network is available.
    case disconnected
    /// The platform does not report the state. Only a request can show it.
    case unknown
}

/// A monitor that reports whether the machine is on a network, for calls that wait for one (`waitsForConnectivity`).
///
/// ```swift
/// let client = Client(transport: .urlSession, services: [.shop], connectivity: .system) { $0.waitsForConnectivity = true }
/// ```
public protocol ConnectivityMonitor: Sendable {
    /// Returns the current state and each later change.
    ///
    /// The client calls it when the first call of a service waits, and drops the stream when the last call
    /// stops waiting.
    func states() -> AsyncStream<Connectivity>
}

/// A monitor that does not know the state. Calls that wait probe the host.
public struct ProbingMonitor: ConnectivityMonitor {
    package init() {}
    public func states() -> AsyncStream<Connectivity> {
        AsyncStream { continuation in
            continuation.yield(.unknown)
            continuation.finish()
        }
    }
}

extension ConnectivityMonitor where Self == ProbingMonitor {
    /// A monitor that does not know the state. One waiting call of each host probes it from time to time.
    public static var probing: ProbingMonitor { ProbingMonitor() }
}
