package import HTTPTypes

/// Takes the content codings off a response.
package enum ContentDecoder {
    /// The largest piece a decoded stream delivers.
    static let pieceSize = 65_536

    /// The response with its body decoded and Content-Encoding and Content-Length gone; the same response when there is
    /// nothing to undo.
    ///
    /// A response to HEAD, one that has no content (204, 205, 304), and a part (206) stay as they are: a range counts
    /// coded bytes (RFC 9110 §14.2), and a part of a coded body cannot be read by itself. So does one in a coding that cannot be
    /// undone here: its bytes are good for whoever knows it, and ``Response/readableBody`` refuses them to others.
    ///
    /// - Parameter limit: the most bytes the body may inflate to, at each of its codings. A stream reports it when it
    ///   gets there; its memory is bounded without it.
    /// - Throws: `.undecodableContent` for too many codings, damage or truncation;
    ///   `.inflatedBodyTooLarge`.
    package static func decode(
        _ response: Response, limit: Int, requestMethod: HTTPRequest.Method
    ) throws(TarmacError) -> Response {
        guard response.headers.contains(.contentEncoding), hasWholeContent(response, requestMethod) else { return response }
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
