#if Tools
import Foundation
import Tarmac
import TarmacNIO
import TarmacURLSession

/// Tarmac, called as an app calls it.
struct TarmacContender: Contender {
    let name: String
    private let client: Client

    init(name: String, transport: TransportFactory) {
        self.name = name
        client = Client(transport: transport) {
            $0.userAgent = "tarmac-bench"
            // The server is where --base-url says, and nothing is sent that is worth protecting.
            $0.allowsInsecureHTTP = true
        }
    }

    func get(_ url: String) async throws -> Int {
        try await client.landed(for: .get(url, as: Void.self)).response.body.collected?.count ?? 0
    }

    func getDecoded(_ url: String) async throws -> Int { try await client.get(url, as: [Item].self).count }

    func download(_ url: String, to path: String) async throws {
        try await client.send(Download(.get(url), to: path))
    }

    func upload(_ path: String, to url: String) async throws {
        try await client.put(url, body: .file(path))
    }

    func uploadForm(_ path: String, to url: String) async throws {
        try await client.send(Upload(.multipart([.field("title", "Sunrise"), .file("file", path)]), to: .put(url)))
    }

    func shutdown() async throws { await client.shutdown() }
}
#endif
