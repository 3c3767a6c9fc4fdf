/// Whether the machine is on a network at all.
public enum Connectivity: Hashable, Sendable {
    /// There is a way out.
    case connected
    /// There is none.
    case disconnected
    /// The platform does not tell: only asking shows.
    case unknown
}

/// Tells whether the machine is on a network, for calls with ``Options/waitsForConnectivity``.
///
/// ```swift
/// let client = Client(transport: .urlSession, services: [.shop], connectivity: .system) { $0.waitsForConnectivity = true }
/// ```
public protocol ConnectivityMonitor: Sendable {
    /// The state now, and each change from then on. Asked for when the first call of a service waits; the stream is dropped with the last.
    func states() -> AsyncStream<Connectivity>
}

/// A monitor that knows nothing: those who wait look for themselves, see ``Options/waitsForConnectivity``.
public struct ProbingMonitor: ConnectivityMonitor {
    public init() {}
    public func states() -> AsyncStream<Connectivity> {
        AsyncStream { continuation in
            continuation.yield(.unknown)
            continuation.finish()
        }
    }
}

extension ConnectivityMonitor where Self == ProbingMonitor {
    /// Knows nothing; one waiting call of a host looks now and then.
    public static var probing: ProbingMonitor { ProbingMonitor() }
}
