#if Telemetry
import CoreMetrics
import TarmacSupport

/// The metric of the connections that a transport has open.
final class ConnectionMetrics: ConnectionObserver {
    private struct Dimensions: Hashable {
        let peer: ConnectionPeer
        let state: ConnectionState

        var pairs: [(String, String)] {
            Self.pairs(state.rawValue, peer.host.withoutBrackets, peer.port.map { "\($0)" } ?? "", peer.version, peer.scheme, overflow: "")
        }

        /// The dimensions of all combinations beyond the limit.
        static var overflow: [(String, String)] { pairs("", "", "", "", "", overflow: "true") }

        private static func pairs(
            _ state: String, _ address: String, _ port: String, _ version: String, _ scheme: String, overflow: String
        ) -> [(String, String)] {
            [
                ("http.connection.state", state), ("server.address", address), ("server.port", port), ("network.protocol.version", version),
                ("url.scheme", scheme), ("otel.metric.overflow", overflow),
            ]
        }
    }

    private let open: BoundedMetrics<Dimensions, Meter>

    init(_ factory: any MetricsFactory) {
        open = BoundedMetrics { dimensions in
            Meter(label: "http.client.open_connections", dimensions: dimensions?.pairs ?? Dimensions.overflow, factory: factory)
        }
    }

    func connection(to peer: ConnectionPeer, changed old: ConnectionState?, into new: ConnectionState?) {
        if let old { open.metric(Dimensions(peer: peer, state: old)).decrement() }
        if let new { open.metric(Dimensions(peer: peer, state: new)).increment() }
    }
}

extension String {
    /// The text without the brackets that an IPv6 address has in a URL.
    var withoutBrackets: String { hasPrefix("[") ? String(dropFirst().dropLast()) : self }
}
#endif
