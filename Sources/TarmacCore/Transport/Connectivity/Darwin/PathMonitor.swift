#if canImport(Darwin) && canImport(Network)
import Dispatch
import Network

/// A monitor that uses the path monitor of the system (Network framework).
public struct PathMonitor: ConnectivityMonitor {
    package init() {}

    public func states() -> AsyncStream<Connectivity> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            // SAFETY: `cancel()` may be called on any thread, and the handler is set before the monitor starts.
            nonisolated(unsafe) let monitor = NWPathMonitor()
            // `.requiresConnection` is a network that a request brings up, such as a VPN on demand.
            monitor.pathUpdateHandler = { continuation.yield($0.status == .unsatisfied ? .disconnected : .connected) }
            continuation.onTermination = { _ in monitor.cancel() }
            monitor.start(queue: DispatchQueue(label: "tarmac.path"))
        }
    }
}

extension ConnectivityMonitor where Self == PathMonitor {
    /// The path monitor of the system.
    public static var system: PathMonitor { PathMonitor() }
}
#endif
