#if Crypto
import Crypto
import HTTPTypes
import Tarmac

/// What an HMAC signature is made over: lines joined by LF, absent ones empty (pure).
enum HMACText {
    /// Who signed, when, and the number used once.
    struct Mark: Equatable {
        var keyID: String
        var timestamp: Int64
        var nonce: String
    }

    /// `tarmac-hmac-sha256-1`, `request`, key id, timestamp, nonce, method, authority, path and query, Content-Type,
    /// SHA-256 of the body in hexadecimal.
    static func request(_ request: Request, _ mark: Mark) -> [UInt8] {
        lines([
            "tarmac-hmac-sha256-1", "request", mark.keyID, String(mark.timestamp), mark.nonce, request.method.rawValue, request.url.authority,
            request.url.requestTarget, request.headers[.contentType], digest(request.body.buffered),
        ])
    }

    /// `tarmac-hmac-sha256-1`, `response`, key id, timestamp, nonce, the request's nonce, method, authority, path and
    /// query, the status, Location, Content-Type, SHA-256 of the body in hexadecimal.
    static func response(_ response: Response, to request: Request, requestNonce: String?, _ mark: Mark) -> [UInt8] {
        lines([
            "tarmac-hmac-sha256-1", "response", mark.keyID, String(mark.timestamp), mark.nonce, requestNonce, request.method.rawValue,
            request.url.authority, request.url.requestTarget, String(response.status.code), response.headers[.location],
            response.headers[.contentType], digest(response.body.collected),
        ])
    }

    private static func digest(_ bytes: Bytes?) -> String {
        (bytes ?? .empty).withUnsafeBytes { SHA256.hash(data: $0) }.hex
    }

    private static func lines(_ lines: [String?]) -> [UInt8] { Array(lines.map { $0 ?? "" }.joined(separator: "\n").utf8) }
}
#endif
