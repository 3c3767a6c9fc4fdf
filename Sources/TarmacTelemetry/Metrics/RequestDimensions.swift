#if Telemetry
/// The dimensions of requests in flight.
///
/// A metric has the same names of dimensions in all its combinations, because the collectors of Prometheus end the process at the second
/// set of names. A value that is absent is empty, which Prometheus treats as no dimension.
struct ServerDimensions: Hashable {
    let method: String
    let address: String
    let port: Int

    init(_ facts: AttemptFacts) { (method, address, port) = (facts.method, facts.address, facts.port) }

    var pairs: [(String, String)] { Self.pairs(method, address, "\(port)", overflow: "") }

    /// The dimensions of all combinations beyond the limit.
    static var overflow: [(String, String)] { pairs("", "", "", overflow: "true") }

    private static func pairs(_ method: String, _ address: String, _ port: String, overflow: String) -> [(String, String)] {
        [("http.request.method", method), ("server.address", address), ("server.port", port), ("otel.metric.overflow", overflow)]
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

    var pairs: [(String, String)] { server.pairs + Self.pairs(status.map { "\($0)" }, errorType, version, template) }

    /// The dimensions of all combinations beyond the limit.
    static var overflow: [(String, String)] { ServerDimensions.overflow + pairs(nil, nil, nil, nil) }

    private static func pairs(_ status: String?, _ errorType: String?, _ version: String?, _ template: String?) -> [(String, String)] {
        [
            ("http.response.status_code", status ?? ""), ("error.type", errorType ?? ""), ("network.protocol.version", version ?? ""),
            ("url.template", template ?? ""),
        ]
    }
}
#endif
