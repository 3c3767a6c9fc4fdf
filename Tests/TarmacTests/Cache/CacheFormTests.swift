import HTTPTypes
import TarmacTesting
import Testing

@testable import Tarmac

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
        Row(coding: "x-unknown", form: nil), Row(coding: "gzip", length: "4", form: nil), Row(coding: "identity, zstd", form: nil),
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

    /// Below a transport that takes off what it knows, an unknown coding stays: nobody is served it as if it were gone.
    @Test(arguments: ["x-unknown", "gzip, x-unknown"])
    func anUnknownCodingIsNotServedAsDecoded(coding: String) async throws {
        let stub = StubTransport(capabilities: [.decodesContent]) { _ in
            .text("coded", headers: [.cacheControl: "max-age=60", .contentEncoding: coding])
        }
        let client = client(stub)
        for _ in 1...2 {
            let response = try await get(client)
            #expect(response.headers[.contentEncoding] == coding && response.body.collected == Bytes("coded"))
        }
        #expect(stub.requests.count == 2)
        #expect(try await client.cache.statistics().entries == 0)
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
