package import HTTPTypes
@_spi(TarmacRooms) package import TarmacCore

/// The checked head of a response, without fields that no longer apply.
package struct ResponseHead {
    package let status: HTTPResponse.Status
    package let headers: HTTPFields
    /// The length of the body, if it is known.
    let bodyLength: Int64?
    /// Whether the platform decoded the body or may have decoded it.
    package let isDecoded: Bool
    /// The length of the body before the platform decoded it, if it is known.
    private let codedLength: Int64?
    /// The most bytes that the coding needs for an empty body.
    private let emptyLimit: Int64

    /// Checks a head.
    ///
    /// - Throws: `TarmacError(.malformedResponse)` for a status or length outside RFC 9110, or a transfer coding that is applied
    ///   twice.
    package init(
        method: HTTPRequest.Method, status code: Int, fields: HTTPFields, decodesContent: Bool
    ) throws(TarmacError) {
        guard (100...999).contains(code) else {
            throw TarmacError(.malformedResponse, phase: .waiting, "the status \(code) is not one of three digits")
        }
        status = HTTPResponse.Status(code: code)
        let hasBody = Self.hasBody(method: method, status: code)
        let length = try Self.length(of: fields)
        if hasBody, Self.isChunkedTwice(fields) {
            throw TarmacError(.malformedResponse, phase: .waiting, "the response has the transfer coding chunked twice")
        }
        codedLength = length
        emptyLimit = Self.codings(fields).allSatisfy { $0 == "br" } ? 4 : 64
        guard hasBody, decodesContent, Self.isEncoded(fields), Self.mayBeDecoded(fields) else {
            headers = fields
            bodyLength = hasBody ? length : 0
            isDecoded = false
            return
        }
        // The body may still be in a coding that the platform did not remove. Then its field is kept.
        headers = Self.isDecodable(fields) ? Self.withoutCoding(fields) : fields
        bodyLength = nil
        isDecoded = true
    }

    // RFC 9110 §6.4.1: responses without a body.
    private static func hasBody(method: HTTPRequest.Method, status: Int) -> Bool {
        method != .head && status >= 200 && status != 204 && status != 304
    }

    private static func isEncoded(_ fields: HTTPFields) -> Bool {
        guard let coding = fields[.contentEncoding] else { return false }
        return !coding.isEmpty && coding.lowercased() != "identity"
    }

    private static func isDecodable(_ fields: HTTPFields) -> Bool { codings(fields).allSatisfy { decodable.contains($0) } }

    /// Whether a platform removes one of the codings. libcurl knows zstd.
    private static func mayBeDecoded(_ fields: HTTPFields) -> Bool {
        codings(fields).contains { $0 != "identity" && (decodable.contains($0) || $0 == "zstd") }
    }

    // RFC 9112 §6.1: a sender applies chunked once. Only one is removed.
    private static func isChunkedTwice(_ fields: HTTPFields) -> Bool {
        guard let codings = fields[.transferEncoding], codings.contains(",") else { return false }
        return codings.lowercased().split(whereSeparator: { ", \t".contains($0) }).filter { $0 == "chunked" }.count > 1
    }

    private static func codings(_ fields: HTTPFields) -> [Substring] {
        (fields[.contentEncoding] ?? "").lowercased().split { $0 == "," || $0 == " " }
    }

    private static let decodable: Set<Substring> = ["gzip", "x-gzip", "deflate", "br", "identity"]

    // The platform decoded the body, so the coding and the length of the server no longer apply.
    private static func withoutCoding(_ fields: HTTPFields) -> HTTPFields {
        var fields = fields
        fields[.contentEncoding] = nil
        fields[.contentLength] = nil
        return fields
    }

    private static func length(of fields: HTTPFields) throws(TarmacError) -> Int64? {
        guard let text = fields[.contentLength] else { return nil }
        guard let length = Int64(text), length >= 0, text.first != "+" else {
            throw TarmacError(.malformedResponse, phase: .waiting, "Content-Length is \"\(text.prefix(40))\"")
        }
        return fields[.transferEncoding] == nil ? length : nil
    }

    /// Returns the error for a body that ended early without an error of the platform.
    func truncation(received: Int64) -> TarmacError? {
        // libcurl takes a coded body that ends early for whole. It shows where nothing has come out of many bytes.
        if isDecoded, received == 0, let codedLength, codedLength > emptyLimit {
            return TarmacError(.undecodableContent, phase: .receiving, "the \(codedLength) bytes of the response body decode to none")
        }
        guard let bodyLength, received < bodyLength else { return nil }
        return TarmacError(
            .truncatedBody, phase: .receiving, "the body ended after \(received) of \(bodyLength) bytes")
    }
}
