import HTTPTypes
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

@Suite struct ContentDecoderTests {
    private func response(
        _ coding: String?, _ body: ResponseBody, status: Int = 200, length: Int? = nil
    ) throws -> Response {
        var headers: HTTPFields = [.contentType: "text/plain"]
        if let coding { headers[.contentEncoding] = coding }
        if let length { headers[.contentLength] = String(length) }
        return Response(
            status: HTTPResponse.Status(code: status), headers: headers, body: body, url: try HTTPURL("http://a.example/"))
    }

    private func decode(_ response: Response, limit: Int = 1 << 20, method: HTTPRequest.Method = .get) throws -> Response {
        try ContentDecoder.decode(response, limit: limit, requestMethod: method)
    }

    @Test func aDecodedBodyLosesTheFieldsThatDescribedTheCodedOne() throws {
        let coded = try response("gzip", .bytes(Bytes(Coded.gzip)), length: Coded.gzip.count)
        let decoded = try decode(coded)
        #expect(decoded.body.collected == Bytes(Coded.text))
        #expect(decoded.headers == [.contentType: "text/plain"])
    }

    @Test func aStreamIsDecoded() async throws {
        let chunks = Coded.gzip.map { Bytes([$0]) }
        let stream = ByteStream(
            AsyncStream { continuation in
                for chunk in chunks { continuation.yield(chunk) }
                continuation.finish()
            })
        guard case .stream(let decoded) = try decode(try response("gzip", .stream(stream))).body else {
            Issue.record("a stream stays a stream")
            return
        }
        #expect(try await decoded.collect(upTo: 1 << 20) == Bytes(Coded.text))
    }

    @Test(arguments: ["gzip, gzip", "deflate, gzip"])
    func codingsAreUndoneInReverse(_ coding: String) throws {
        let body = coding == "gzip, gzip" ? Coded.zerosInGzipTwice : Coded.zerosInZlibInGzip
        #expect(try decode(try response(coding, .bytes(Bytes(body)))).body.collected?.count == Coded.mebibyte)
    }

    @Test func eachCodingIsHeldToTheLimit() throws {
        let twice = try response("gzip, gzip", .bytes(Bytes(Coded.zerosInGzipTwice)))
        let error = #expect(throws: TarmacError.self) { try decode(twice, limit: Coded.mebibyte - 1) }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test func identityIsTakenOffAndTheLengthStays() throws {
        let plain = try response("identity", .bytes(Bytes("plain")), length: 5)
        let decoded = try decode(plain)
        #expect(decoded.body.collected == Bytes("plain"))
        #expect(decoded.headers == [.contentType: "text/plain", .contentLength: "5"])
    }

    @Test func withoutTheFieldNothingIsTouched() throws {
        let plain = try response(nil, .bytes(Bytes(Coded.gzip)), length: Coded.gzip.count)
        let decoded = try decode(plain, limit: 0)
        #expect(decoded.body.collected == Bytes(Coded.gzip))
        #expect(decoded.headers == plain.headers)
    }

    @Test(arguments: [(200, HTTPRequest.Method.head), (204, .get), (205, .get), (206, .get), (304, .get), (206, .head)])
    func whatIsNoWholeBodyStaysAsItIs(_ status: Int, _ method: HTTPRequest.Method) throws {
        let part = try response("gzip", .bytes(Bytes(Coded.gzip.dropLast(9).map { $0 })), status: status, length: 9)
        let decoded = try decode(part, method: method)
        #expect(decoded.headers == part.headers)
        #expect(decoded.body.collected == part.body.collected)
    }

    /// Also when it came first and gzip last: nobody is given half of it.
    @Test(arguments: ["zstd", "x-unknown, gzip", "gzip, x-unknown"])
    func anUnknownCodingIsLeftAsItIs(_ coding: String) throws {
        let coded = try response(coding, .bytes(Bytes(Coded.gzip)), length: Coded.gzip.count)
        let left = try decode(coded)
        #expect(left.body.collected == Bytes(Coded.gzip) && left.headers == coded.headers && !left.isDecoded)
        let error = #expect(throws: TarmacError.self) { try left.readableBody }
        #expect(error?.code == .undecodableContent)
    }

    @Test func tooManyCodingsAreAnError() throws {
        let coded = try response("gzip, gzip, gzip, gzip", .bytes(Bytes(Coded.gzip)))
        let error = #expect(throws: TarmacError.self) { try decode(coded) }
        #expect(error?.code == .undecodableContent)
    }

    @Test func anErrorBodyIsDecodedToo() throws {
        #expect(try decode(try response("x-gzip", .bytes(Bytes(Coded.gzip)), status: 500)).body.collected == Bytes(Coded.text))
    }
}
