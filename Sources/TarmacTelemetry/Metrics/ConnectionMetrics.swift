#if Telemetry
import CoreMetrics
import TarmacSupport

/// The metric of the connections that a transport has open.
final class ConnectionMetrics: ConnectionObserver {
    private struct Dimensions: Hashable {
        let peer: ConnectionPeer
        let state: ConnectionState

        /// - Parameter connection: `nil` for all combinations beyond the limit.
        static func pairs(_ connection: Dimensions?) -> [(name: String, value: String?)] {
            let peer = connection?.peer
            return [
                ("http.connection.state", connection?.state.rawValue), ("server.address", peer?.host.withoutBrackets),
                ("server.port", peer?.port.map { "\($0)" }), ("network.protocol.version", peer?.version), ("url.scheme", peer?.scheme),
                ("otel.metric.overflow", connection == nil ? "true" : nil),
            ]
        }
    }

    private let open: BoundedMetrics<Dimensions, Meter>

    init(_ factory: any MetricsFactory) {
        let absent = AbsentDimensions(for: factory)
        open = BoundedMetrics { dimensions in
            Meter(label: "http.client.open_connections", dimensions: absent.shown(Dimensions.pairs(dimensions)), factory: factory)
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
