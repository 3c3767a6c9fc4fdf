package import HTTPTypes

/// Removes the content codings from a response.
package enum ContentDecoder {
    /// The largest chunk of a decoded stream in bytes.
    static let pieceSize = 65_536

    /// Returns the response with a decoded body and without Content-Encoding and Content-Length. Returns the
    /// same response if there is nothing to decode.
    ///
    /// A response to HEAD, a response without content (204, 205, 304) and a part (206) stay unchanged: a range
    /// counts coded bytes (RFC 9110 §14.2), and a part of a coded body cannot be decoded alone. A response in a
    /// coding that this platform cannot decode stays unchanged too. Its bytes are available to code that knows
    /// the coding, and ``Response/readableBody`` throws for other code.
    ///
    /// - Parameter limit: the maximum size of the body in bytes after each of its codings. A stream throws when
    ///   it reaches the limit; its memory use is bounded in any case.
    /// - Throws: `.undecodableContent` for too many codings, damage or truncation; `.bodyTooLarge`.
    package static func decode(
        _ response: Response, limit: Int, requestMethod: HTTPRequest.Method
    ) throws(TarmacError) -> Response {
        guard response.headers.contains(.contentEncoding), hasWholeContent(response, requestMethod) else { return response }
        // A name that is no coding stays for code that knows it.
        if response.headers.namesNoCoding { return response }
        guard let codings = try ContentCoding.appliedIfKnown(in: response.headers) else { return response }
        var decoded = response
        decoded.headers[.contentEncoding] = nil
        if codings.isEmpty { return decoded }
        decoded.headers[.contentLength] = nil
        decoded.isDecoded = true
        for coding in codings.reversed() { decoded.body = try decode(decoded.body, coding, limit: limit) }
        return decoded
    }

    private static func hasWholeContent(_ response: Response, _ method: HTTPRequest.Method) -> Bool {
        switch response.status.code {
        case 100..<200, 204, 205, 206, 304: false
        default: method != .head
        }
    }

    private static func decode(
        _ body: ResponseBody, _ coding: ContentCoding, limit: Int
    ) throws(TarmacError) -> ResponseBody {
        switch body {
        case .bytes(let bytes): .bytes(try inflate(bytes, coding, limit: limit))
        case .stream(let stream): .stream(inflate(stream, coding, limit: limit))
        }
    }
}
