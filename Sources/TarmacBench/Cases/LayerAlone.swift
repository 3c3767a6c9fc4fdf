#if Tools
import HTTPTypes
import Tarmac

/// The layer without a network: what one call costs from endpoint to value over a transport that answers at once.
enum LayerAlone {
    private struct GetUser: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .get("/users/{id}{?page}")
        var id: Int
        var page: Int
    }

    struct Result: Codable {
        var inline: Double
        var endpoint: Double
    }

    /// Nanoseconds of CPU per call.
    static func measure(calls: Int = 100_000) async throws -> Result {
        let client = Client(
            transport: TransportFactory(name: "instant") { _ in InstantTransport() },
            services: [Service("s", host: "http://127.0.0.1")])
        try await fly(calls / 10) { try await client.get("/users/7") }
        let inline = try await fly(calls) { try await client.get("/users/7") }
        let endpoint = try await fly(calls) { try await client.send(GetUser(id: 7, page: 2)) }
        await client.shutdown()
        return Result(inline: inline, endpoint: endpoint)
    }

    @discardableResult
    private static func fly(_ calls: Int, _ call: () async throws -> Void) async throws -> Double {
        let before = Usage.now()
        for _ in 0..<calls { try await call() }
        return (Usage.now() - before).cpu / Double(calls) * 1e9
    }
}

/// Answers at once.
private struct InstantTransport: Tarmac.Transport {
    let name = "instant"
    let capabilities: TransportCapabilities = [.separateHeaders, .backPressure]
    private static let headers: HTTPFields = [.contentType: "application/json", .contentLength: "2"]
    private static let body = Bytes("{}")

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        exchange.report(.ended)
        return Response(status: .ok, headers: Self.headers, body: .bytes(Self.body), url: request.url)
    }

    func shutdown() async {}
}
#endif
