#if Telemetry
/// The dimensions of requests in flight.
struct ServerDimensions: Hashable {
    let method: String
    let address: String
    let port: Int

    init(_ facts: AttemptFacts) { (method, address, port) = (facts.method, facts.address, facts.port) }

    /// - Parameter server: `nil` for all combinations beyond the limit.
    static func pairs(_ server: ServerDimensions?) -> [(name: String, value: String?)] {
        [
            ("http.request.method", server?.method), ("server.address", server?.address), ("server.port", server.map { "\($0.port)" }),
            ("otel.metric.overflow", server == nil ? "true" : nil),
        ]
    }
}

/// The dimensions of requests that have ended.
struct RequestDimensions: Hashable {
    let server: ServerDimensions
    let status: Int?
    let errorType: String?
    let version: String?
    let template: String?

    init(_ facts: AttemptFacts, withTemplate: Bool) {
        server = ServerDimensions(facts)
        status = facts.status
        errorType = facts.errorType
        version = facts.shownVersion
        template = withTemplate ? facts.template : nil
    }

    /// - Parameter request: `nil` for all combinations beyond the limit.
    static func pairs(_ request: RequestDimensions?) -> [(name: String, value: String?)] {
        ServerDimensions.pairs(request?.server) + [
            ("http.response.status_code", request?.status.map { "\($0)" }), ("error.type", request?.errorType),
            ("network.protocol.version", request?.version), ("url.template", request?.template),
        ]
    }
}
#endif
