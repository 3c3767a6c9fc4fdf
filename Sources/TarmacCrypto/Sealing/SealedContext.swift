#if Crypto
import HTTPTypes
import TarmacCore

/// The data authenticated with a sealed body: lines of ASCII joined by LF, with empty lines for absent values (pure).
enum SealedContext {
    /// `tarmac-sealed-1`, `request`, algorithm, key id, id, time, method, path and query, media type.
    static func request(_ request: Request, _ head: SealedHead) -> [UInt8] {
        lines([
            "tarmac-sealed-1", "request", head.algorithm.rawValue, head.keyID, head.id, head.time.map(String.init),
            request.method.rawValue, request.url.requestTarget, head.type,
        ])
    }

    /// `tarmac-sealed-1`, `response`, algorithm, key id, the request's id, its method, its path and query, the status,
    /// Location, media type; and Content-Range, which has a line only if the response has the field. No line before it
    /// can contain an LF, so a part cannot pass for the whole or for another part.
    static func response(_ response: Response, to request: Request, id: String, _ head: SealedHead) -> [UInt8] {
        var all = [
            "tarmac-sealed-1", "response", head.algorithm.rawValue, head.keyID, id, request.method.rawValue,
            request.url.requestTarget, String(response.status.code), response.headers[.location], head.type,
        ]
        if let range = response.headers[.contentRange] { all.append(range) }
        return lines(all)
    }

    private static func lines(_ lines: [String?]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(256)
        for (index, line) in lines.enumerated() {
            if index > 0 { text.append(UInt8(ascii: "\n")) }
            if let line { text.append(contentsOf: line.utf8) }
        }
        return text
    }
}
#endif
