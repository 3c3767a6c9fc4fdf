import HTTPTypes
import Tarmac
@testable import TarmacURLSession
import Testing

@Suite struct ResponseHeadTests {
    private func head(
        _ method: HTTPRequest.Method, _ status: Int, _ fields: HTTPFields, decodes: Bool = true
    ) throws(TarmacError) -> ResponseHead {
        try ResponseHead(method: method, status: status, fields: fields, decodesContent: decodes)
    }

    private func head(_ fields: HTTPFields, decodes: Bool = true) throws(TarmacError) -> ResponseHead {
        try head(.get, 200, fields, decodes: decodes)
    }

    static let encoded: HTTPFields = [.contentEncoding: "gzip", .contentLength: "20", .eTag: "x"]

    @Test func decodedBodyLosesCodingAndLength() throws {
        let head = try head(Self.encoded)
        #expect(head.headers == [.eTag: "x"])
        #expect(head.bodyLength == nil)
    }

    @Test(arguments: [(HTTPRequest.Method.head, 200), (.get, 204), (.get, 304)])
    func fieldsWithoutABodyStay(method: HTTPRequest.Method, status: Int) throws {
        #expect(try head(method, status, Self.encoded).headers == Self.encoded)
        #expect(try head(method, status, Self.encoded).bodyLength == 0)
    }

    @Test func fieldsStayWhereNothingIsDecoded() throws {
        #expect(try head(Self.encoded, decodes: false).headers == Self.encoded)
        #expect(try head([.contentEncoding: "identity", .contentLength: "20"]).bodyLength == 20)
    }

    /// What no platform takes off is there, and is said to be; what some take off may be.
    @Test(arguments: [("x-unknown", false), ("identity, x-unknown", false), ("zstd", true), ("gzip, x-unknown", true)])
    func unknownCodingsStay(coding: String, isDecoded: Bool) throws {
        let head = try head([.contentEncoding: coding])
        #expect(head.headers == [.contentEncoding: coding] && head.isDecoded == isDecoded)
    }

    @Test(arguments: ["abc", "-1", "1, 2", ""])
    func lengthThatIsNoneIsRefused(text: String) {
        #expect(throws: TarmacError.self) { try head([.contentLength: text]) }
    }

    @Test(arguments: [0, 20, 99, 1000, -1])
    func statusOutsideThreeDigitsIsRefused(status: Int) {
        #expect(throws: TarmacError.self) { try head(.get, status, [:]) }
    }

    @Test func shortBodyIsTruncated() throws {
        let head = try head([.contentLength: "20"])
        #expect(head.truncation(received: 19)?.code == .truncatedBody)
        #expect(head.truncation(received: 20) == nil)
        #expect(try self.head([:]).truncation(received: 0) == nil)
        #expect(try self.head(.head, 200, [.contentLength: "20"]).truncation(received: 0) == nil)
        #expect(try self.head([.contentLength: "20", .transferEncoding: "chunked"]).truncation(received: 1) == nil)
    }
}
