internal import HTTPTypes

/// A content coding that Tarmac knows (RFC 9110 §8.4.1).
enum ContentCoding: String, Sendable, Hashable {
    case gzip
    case deflate
    case brotli = "br"

    /// The maximum number of codings of a response. More codings are an attack or a mistake.
    static let maximumCount = 3

    /// Returns the codings of a response in the order of their application. Decode them in reverse order (RFC
    /// 9110 §8.4).
    ///
    /// - Throws: `.undecodableContent` with the name of a coding that this platform cannot decode.
    static func applied(in headers: HTTPFields) throws(TarmacError) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        for name in try names(in: headers) {
            guard let coding = coding(named: name) else { throw unknown(name) }
            codings.append(coding)
        }
        return codings
    }

    /// Returns the codings if all of them can be decoded. `nil` if one cannot, in which case the body stays
    /// unchanged.
    static func appliedIfKnown(in headers: HTTPFields) throws(TarmacError) -> [ContentCoding]? {
        let codings = try names(in: headers).map(coding(named:))
        return codings.contains(nil) ? nil : codings.compactMap(\.self)
    }

    /// Returns the names of codings in lower case.
    private static func names(in headers: HTTPFields) throws(TarmacError) -> [String] {
        let names = headers.contentCodings
        guard names.count <= maximumCount else { throw tooMany }
        return names.contains(where: isRegistered) ? names.filter { $0 != "identity" } : []
    }

    /// The names of the IANA registry without `identity`.
    ///
    /// Servers also state a charset, `none` or a word of their own there. Such a name alone is no coding, as for browsers: the body is read as it is.
    /// Beside a coding it may be one upon the other.
    private static let registered: Set<String> = [
        "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip", "x-compress", "x-gzip", "zstd",
    ]

    /// Whether a name is that of a coding, also with a parameter, which no coding has.
    fileprivate static func isRegistered(_ name: String) -> Bool { registered.contains(name.prefix { $0 != ";" }.trimmed) }

    private static func coding(named name: String) -> ContentCoding? {
        // RFC 9110 §8.4.1.3: a recipient treats x-gzip as gzip.
        let coding = ContentCoding(rawValue: name == "x-gzip" ? "gzip" : name)
        return coding.flatMap { PlatformCodings.offered.contains($0) ? $0 : nil }
    }

    private static func unknown(_ name: String) -> TarmacError {
        let shown = String(name.prefix(40))
        return TarmacError(
            .undecodableContent, phase: .receiving,
            "the body has the content coding \"\(shown)\", which Tarmac cannot undo on this platform",
            suggestion: "send Accept-Encoding: \(AcceptEncoding.value)")
    }

    private static var tooMany: TarmacError {
        TarmacError(
            .undecodableContent, phase: .receiving,
            "the body has more than \(maximumCount) content codings, one upon the other")
    }
}

extension HTTPFields {
    /// The names in Content-Encoding, in lower case.
    fileprivate var contentCodings: [String] {
        self[values: .contentEncoding].flatMap { $0.split(separator: ",") }.map { $0.trimmed.lowercased() }.filter { !$0.isEmpty }
    }

    /// Whether Content-Encoding names a coding other than identity (RFC 9110 §8.4).
    package var namesCoding: Bool { contains(.contentEncoding) && contentCodings.contains(where: ContentCoding.isRegistered) }
    /// Whether Content-Encoding has only names that are no coding, and not `identity`.
    var namesNoCoding: Bool { !namesCoding && contentCodings.contains { $0 != "identity" } }
}

extension Response {
    /// The collected body for code that interprets it.
    ///
    /// - Throws: `.undecodableContent` with the name of the coding, if the body is in a coding that could not
    ///   be decoded.
    package var readableBody: Bytes {
        get throws(TarmacError) {
            let bytes = body.collected ?? .empty
            guard !bytes.isEmpty else { return bytes }
            try checkCoding()
            return bytes
        }
    }

    /// Throws the same error for a body that is not collected.
    package func checkCoding() throws(TarmacError) {
        // Nearly every response has no such field. A loop over the fields costs less than a lookup by name, and
        // the length is checked first.
        guard !isDecoded, headers.contains(where: { $0.name.canonicalName.utf8.count == 16 && $0.name == .contentEncoding }) else { return }
        _ = try ContentCoding.applied(in: headers)
    }
}

/// The Accept-Encoding field (RFC 9110 §12.5.3).
package enum AcceptEncoding {
    /// The codings that this platform can decode: `gzip, deflate`, and `br` on Apple platforms.
    package static let value = PlatformCodings.offered.map(\.rawValue).joined(separator: ", ")
    /// The value for range requests and downloads, whose offsets count the coded bytes.
    package static let identity = "identity"
}
