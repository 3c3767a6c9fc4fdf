#if Crypto
import Crypto
import HTTPTypes
import TarmacCore

/// The text that an HMAC signature covers: lines joined by LF, with empty lines for absent values (pure).
enum HMACText {
    /// The key, the time and the nonce of a signature.
    struct Mark: Equatable {
        var keyID: String
        var timestamp: Int64
        var nonce: String
    }

    /// `tarmac-hmac-sha256-1`, `request`, key id, timestamp, nonce, method, authority, path and query, Content-Type,
    /// Content-Encoding, SHA-256 of the body in hexadecimal.
    static func request(_ request: Request, _ mark: Mark) -> [UInt8] {
        lines([
            "tarmac-hmac-sha256-1", "request", mark.keyID, String(mark.timestamp), mark.nonce, request.method.rawValue,
            request.headers.authority(of: request.url), request.url.requestTarget, request.headers[.contentType],
            request.headers[.contentEncoding], digest(request.body.buffered),
        ])
    }

    /// `tarmac-hmac-sha256-1`, `response`, key id, timestamp, nonce, the request's nonce, method, authority, path and
    /// query and SHA-256 of its body, the status, Location, Content-Type, Content-Encoding, Content-Range, SHA-256 of
    /// the body in hexadecimal. They include everything that determines the target of a redirect or how a body is read.
    static func response(_ response: Response, to request: Request, requestNonce: String?, _ mark: Mark) -> [UInt8] {
        lines([
            "tarmac-hmac-sha256-1", "response", mark.keyID, String(mark.timestamp), mark.nonce, requestNonce, request.method.rawValue,
            request.headers.authority(of: request.url), request.url.requestTarget, digest(request.body.buffered), String(response.status.code),
            response.headers[.location], response.headers[.contentType], response.headers[.contentEncoding], response.headers[.contentRange],
            digest(response.body.collected),
        ])
    }

    private static func digest(_ bytes: Bytes?) -> String {
        (bytes ?? .empty).withUnsafeBytes { SHA256.hash(data: $0) }.hex
    }

    private static func lines(_ lines: [String?]) -> [UInt8] { Array(lines.map { $0 ?? "" }.joined(separator: "\n").utf8) }
}
#endif
