import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams
@testable import TarmacTransfer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A server that uses a coding nobody asked for: who wants bytes gets them, who wants their meaning hears why not.
@Suite("Unknown content codings", .timeLimit(.minutes(5)))
struct UnknownCodingTests {
    private struct Number: Decodable, Sendable { let n: Int }
    private static let text = #"{"n":1}"#

    private func client(
        decodes: Bool, status: HTTPResponse.Status = .ok, type: String = "application/json", coding: String = "zstd"
    ) -> Client {
        let stub = StubTransport(capabilities: decodes ? [.everything, .decodesContent] : .everything) { _ in
            var response = Response.text(Self.text, headers: [.contentEncoding: coding])
            response.headers[.contentType] = type
            response.status = status
            return response
        }
        return Client(stub) { ($0.timeout, $0.idleTimeout) = (.seconds(120), .seconds(120)) }
    }

    @Test(arguments: [false, true])
    func rawCallsDataAndStreamsGetTheBytes(decodes: Bool) async throws {
        let client = client(decodes: decodes)
        let raw = try await client.send(raw: Request(.get, HTTPURL("https://s.example/a")))
        #expect(raw.headers[.contentEncoding] == "zstd" && raw.body.collected == Bytes(Self.text) && !raw.isDecoded)
        #expect(try await client.send(.get("/a", as: Data.self)) == Data(Self.text.utf8))
        let streamed = try await client.stream(.get("/a", as: Data.self)) { try await $0.body.collect(upTo: 100) }
        #expect(streamed == Bytes(Self.text))
        try await client.send(.get("/a"))
    }

    @Test(arguments: [false, true])
    func whateverReadsItNamesTheCoding(decodes: Bool) async throws {
        let client = client(decodes: decodes), text = self.client(decodes: decodes, type: "text/plain")
        let errors = [
            await failure { _ = try await client.send(.get("/a", as: Number.self)) },
            await failure { _ = try await client.send(.get("/a", as: Number.self)) { $0.decoder = .foundation(JSONDecoder()) } },
            await failure { _ = try await client.send(.get("/a", as: JSON.self)) },
            await failure { _ = try await text.send(.get("/a", as: String.self)) },
            await failure { try await client.send(.get("/a")) { $0.envelope = Envelope(success: { $0["n"].int == 1 }) } },
            await failure { for try await _ in text.lines(.get("/a", as: String.self)) {} },
        ]
        for error in errors {
            #expect(error?.code == .undecodableContent)
            #expect(error?.reason.contains("zstd") == true)
        }
    }

    /// Servers state charsets and words of their own there (RFC 9110 §8.4.1 registers codings); the body is as it is.
    @Test(arguments: ["utf-8", "none", "identity, utf-8", "x-rot13"], [false, true])
    func aNameThatIsNoCodingChangesNothing(coding: String, decodes: Bool) async throws {
        let client = client(decodes: decodes, coding: coding), text = self.client(decodes: decodes, type: "text/plain", coding: coding)
        #expect(try await client.send(.get("/a", as: Number.self)).n == 1)
        #expect(try await client.send(.get("/a", as: JSON.self))["n"] == 1)
        #expect(try await text.send(.get("/a", as: String.self)) == Self.text)
        try await client.send(.get("/a")) { $0.envelope = Envelope(success: { $0["n"].int == 1 }) }
        var lines: [String] = []
        for try await line in text.lines(.get("/a", as: String.self)) { lines.append(line) }
        #expect(lines == [Self.text])
        // Code that knows the name finds it.
        let raw = try await client.send(raw: Request(.get, HTTPURL("https://s.example/a")))
        #expect(raw.headers[.contentEncoding] == coding && !raw.isDecoded)
    }

    @Test func aFileWithANameThatIsNoCodingIsCompleted() {
        var response = Response.text("file", headers: [.contentEncoding: "utf-8", .eTag: "\"1\""])
        #expect(!response.isCoded && RangeEntity(response, isWhole: true).validator == .tag("\"1\""))
        response.headers[.contentEncoding] = "zstd"
        #expect(response.isCoded && RangeEntity(response, isWhole: true).validator == nil)
    }

    /// What was refused is refused for its status, whatever its body is in.
    @Test func aRefusalIsOneForItsStatus() async {
        let client = client(decodes: false, status: .notFound)
        let error = await failure { _ = try await client.send(.get("/a", as: Number.self)) }
        #expect(error?.code == .unacceptableStatus && error?.status == .notFound)
    }
}
