#if Telemetry
/// The dimensions of requests in flight.
struct ServerDimensions: Hashable {
    let method: String
    let address: String
    let port: Int

    init(_ facts: AttemptFacts) { (method, address, port) = (facts.method, facts.address, facts.port) }

    var pairs: [(String, String)] {
        [("http.request.method", method), ("server.address", address), ("server.port", "\(port)")]
    }
}

/// The dimensions of requests that have ended. A value that is not known has no dimension.
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

    var pairs: [(String, String)] {
        let known: [(String, String?)] = [
            ("http.response.status_code", status.map { "\($0)" }), ("error.type", errorType), ("network.protocol.version", version),
            ("url.template", template),
        ]
        return server.pairs + known.compactMap { name, value in value.map { (name, $0) } }
    }
}
#endif
