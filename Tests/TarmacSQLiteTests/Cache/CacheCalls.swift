import HTTPTypes
import Tarmac
import TarmacCache
import TarmacSQLite
import TarmacTesting

/// Calls over a cache, and what their observers are told of it.
struct CacheCalls: Sendable {
    let recorder = EventRecorder()

    /// Answers that may be kept, each as large as its path says.
    func client(_ store: SQLiteCacheStore) -> Client {
        let stub = StubTransport { request in
            let size = request.url.path.split(separator: "/").first.flatMap { Int($0) } ?? 10
            return Response(
                status: .ok, headers: [.cacheControl: "max-age=600"], body: .bytes(Bytes([UInt8](repeating: 65, count: size))), url: request.url)
        }
        return Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) { [recorder] in
            ($0.cache, $0.cacheStore, $0.observers, $0.timeout) = (.http, .store(store), [recorder], .seconds(120))
        }
    }

    func get(_ client: Client, _ path: String) async throws -> ResponseSource {
        try await client.send(raw: Request(.get, try HTTPURL("https://s.example\(path)"))).source
    }

    var notices: [CacheNotice.Kind] {
        recorder.events.compactMap { if case .stage(CacheEvent.failed(let notice)) = $0.kind { notice.kind } else { nil } }
    }
}
