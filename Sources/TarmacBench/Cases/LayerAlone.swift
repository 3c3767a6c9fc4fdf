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

    enum Work: String, CaseIterable, Codable {
        case inline
        case endpoint

        var title: String { self == .inline ? "inline call" : "encodable endpoint" }

        fileprivate func call(_ client: Client) async throws {
            switch self {
            case .inline: try await client.get("/users/7")
            case .endpoint: try await client.send(GetUser(id: 7, page: 2))
            }
        }
    }

    struct Result: Codable {
        var work: Work
        var calls: Int
        /// Of processor time, per call.
        var nanoseconds: Double
    }

    /// Always as many, so that two runs differ by what is counted alone.
    private static let warmUp = 10_000

    static func measure(_ works: [Work], calls: Int) async throws -> [Result] {
        let client = Client(
            transport: TransportFactory(name: "instant") { _ in InstantTransport() },
            services: [Service("s", host: "http://127.0.0.1")])
        var results: [Result] = []
        for work in works {
            try await fly(warmUp) { try await work.call(client) }
            results.append(Result(work: work, calls: calls, nanoseconds: try await fly(calls) { try await work.call(client) }))
        }
        await client.shutdown()
        return results
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
