import HTTPTypes
import Tarmac
import TarmacJSON
import TarmacStreams
import TarmacTesting

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The public ways to make a call from a task; each lands as JSON where it lands as anything.
enum Verb: String, CaseIterable, Sendable {
    case send, sendNothing, landed, raw, get, post, stream, download

    /// Whether the whole chain of an endpoint is passed, its parameters and its landing included.
    var isOfEndpoint: Bool { self != .raw }

    func fly(_ client: Client, configure: @Sendable (inout Options) -> Void = { _ in }) async throws {
        switch self {
        case .send: _ = try await client.send(InlineEndpoint<JSON>.get("/verb", as: JSON.self), configure: configure)
        case .sendNothing: try await client.send(InlineEndpoint<Void>.get("/verb"), configure: configure)
        case .landed: _ = try await client.landed(for: InlineEndpoint<JSON>.get("/verb", as: JSON.self), configure: configure)
        case .raw: _ = try await client.send(raw: Request(.get, HTTPURL("https://s.example/verb")), configure: configure)
        case .get: _ = try await client.get("/verb", as: JSON.self, configure: configure)
        case .post: _ = try await client.post("/verb", ["n": 1], as: JSON.self, configure: configure)
        case .stream: try await stream(client, configure)
        case .download: try await download(client, configure)
        }
    }

    private func stream(_ client: Client, _ configure: @Sendable (inout Options) -> Void) async throws {
        try await client.stream(InlineEndpoint<Void>.get("/verb"), configure: configure) { response in
            for try await _ in response.body {}
        }
    }

    private func download(_ client: Client, _ configure: @Sendable (inout Options) -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UInt64.random(in: .min ... .max))").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await client.send(Download(InlineEndpoint<Void>.get("/verb"), to: path), configure: configure)
    }
}
