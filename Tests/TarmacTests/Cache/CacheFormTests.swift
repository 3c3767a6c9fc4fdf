import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// What the bytes of a stored body are: coded ones are never served as decoded, decoded ones never in parts.
@Suite("Forms of stored bodies", .timeLimit(.minutes(5)))
struct CacheFormTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var coding: String?
        var length: String?
        var isDecoded = false
        var transportDecodes = true
        let form: CacheEntry.Form?
        var testDescription: String { "\(coding ?? "no coding"), \(length ?? "no length"), \(isDecoded), \(transportDecodes)" }
    }

    @Test(arguments: [
        Row(length: "4", transportDecodes: false, form: .plain), Row(transportDecodes: false, form: .plain),
        Row(isDecoded: true, transportDecodes: false, form: .decoded), Row(coding: "x-unknown", transportDecodes: false, form: .plain),
        Row(form: .decoded), Row(length: "4", form: .plain), Row(length: "9", form: .decoded), Row(coding: "identity", length: "4", form: .plain),
        Row(coding: "x-unknown", form: .plain), Row(coding: "identity, x-unknown", form: .plain), Row(coding: "gzip, x-unknown", form: nil),
        Row(coding: "gzip", length: "4", form: nil), Row(coding: "identity, zstd", form: nil), Row(coding: "br", isDecoded: true, form: nil),
    ])
    func whatTheBytesAre(row: Row) throws {
        var headers = HTTPFields()
        headers[.contentEncoding] = row.coding
        headers[.contentLength] = row.length
        let response = Response(status: .ok, headers: headers, body: .bytes(Bytes("body")), url: try HTTPURL("https://s.example/"))
        #expect(CacheStorage.form(of: response, isDecoded: row.isDecoded, transportDecodes: row.transportDecodes) == row.form)
    }

    private func client(_ stub: StubTransport) -> Client {
        Client(stub) {
            $0.cache = .http
            ($0.timeout, $0.idleTimeout) = (.seconds(120), .seconds(120))
        }
    }

    private func get(_ client: Client, _ headers: HTTPFields = [:]) async throws -> Response {
        try await client.send(raw: Request(.get, HTTPURL("https://s.example/t"), headers: headers))
    }

    /// An unknown coding stays, also below a transport that takes off what it knows: it is served as it came. Where part of it may
    /// be gone, nobody can say what the bytes are.
    @Test(arguments: [(true, "x-unknown", 1), (true, "gzip, x-unknown", 2), (false, "x-unknown", 1), (false, "gzip, x-unknown", 1)])
    func anUnknownCodingIsNotServedAsDecoded(transportDecodes: Bool, coding: String, requests: Int) async throws {
        let stub = StubTransport(capabilities: transportDecodes ? [.decodesContent] : .everything) { _ in
            .text("coded", headers: [.cacheControl: "max-age=60", .contentEncoding: coding])
        }
        let client = client(stub)
        for _ in 1...2 {
            let response = try await get(client)
            #expect(response.headers[.contentEncoding] == coding && response.body.collected == Bytes("coded"))
            #expect(!response.isDecoded)
        }
        #expect(stub.requests.count == requests)
        #expect(try await client.cache.statistics().entries == 2 - requests)
    }

    /// A length that is still that of the body: nothing was taken off, so parts count the same bytes.
    @Test(arguments: [("10", 1), (nil, 2)])
    func partsAreServedBelowADecodingTransportToo(length: String?, requests: Int) async throws {
        let stub = StubTransport(capabilities: [.decodesContent]) { request in
            if request.headers.contains(.range) { return .status(.partialContent, headers: [.contentRange: "bytes 0-1/10"]) }
            var headers: HTTPFields = [.cacheControl: "max-age=60"]
            headers[.contentLength] = length
            return .text("0123456789", headers: headers)
        }
        let client = client(stub)
        _ = try await get(client)
        _ = try await get(client, [.range: "bytes=0-1"])
        #expect(stub.requests.count == requests)
    }
}
