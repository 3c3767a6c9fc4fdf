#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import HTTPTypes
@_spi(TarmacRooms) public import TarmacCore

/// Responses for tests. ``StubTransport`` replaces their URL with that of the request.
extension Response {
    static let stubURL = HTTPURL(scheme: "http", host: "stub.invalid", port: nil, path: "/", query: nil)

    /// Returns a response with JSON text, `application/json`. Default status: 200.
    public static func json(
        _ text: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        .bytes(Bytes(text), contentType: "application/json", status: status, headers: headers)
    }

    /// Returns a response with a value encoded as JSON, `application/json`. Default status: 200.
    public static func json(
        encoding value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) throws -> Response {
        let data = try JSONEncoder().encode(value)
        return .bytes(Bytes(data), contentType: "application/json", status: status, headers: headers)
    }

    /// Returns a response with UTF-8 text, `text/plain; charset=utf-8`. Default status: 200.
    public static func text(
        _ text: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        .bytes(Bytes(text), contentType: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// Returns a response with bytes. A Content-Type in `headers` takes precedence over `contentType`.
    public static func bytes(
        _ bytes: Bytes, contentType: String? = "application/octet-stream", status: HTTPResponse.Status = .ok,
        headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        if let contentType, headers[.contentType] == nil { headers[.contentType] = contentType }
        return Response(status: status, headers: headers, body: .bytes(bytes), url: stubURL, version: .http1_1)
    }

    /// Returns a response with a status and header fields, without a body.
    public static func status(_ status: HTTPResponse.Status, headers: HTTPFields = [:]) -> Response {
        Response(status: status, headers: headers, url: stubURL, version: .http1_1)
    }

    /// Returns a redirect to `location`. Default status: 302.
    public static func redirect(to location: String, status: HTTPResponse.Status = .found) -> Response {
        .status(status, headers: [.location: location])
    }

    /// Returns a response whose body arrives chunk by chunk. Default status: 200.
    public static func stream(
        _ stream: ByteStream, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        Response(status: status, headers: headers, body: .stream(stream), url: stubURL, version: .http1_1)
    }

    /// Returns a response whose body arrives in the given chunks. Default status: 200.
    public static func chunks(
        _ chunks: [String], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        .stream(ByteStream(ChunkSequence(chunks: chunks.map { Bytes($0) })), status: status, headers: headers)
    }
}

struct ChunkSequence: AsyncSequence, Sendable {
    let chunks: [Bytes]

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Bytes>
        mutating func next() async throws -> Bytes? { rest.popFirst() }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...]) }
}
