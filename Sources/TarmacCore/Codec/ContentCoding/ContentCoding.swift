internal import HTTPTypes

/// One content coding that Tarmac knows (RFC 9110 §8.4.1).
enum ContentCoding: String, Sendable, Hashable {
    case gzip
    case deflate
    case brotli = "br"

    /// The most codings one response may carry; more is an attack or a mistake.
    static let maximumCount = 3

    /// The codings of a response in the order in which they were applied; undo them in reverse (RFC 9110 §8.4).
    ///
    /// `identity` counts as nothing. Throws `.undecodableContent` naming a coding this platform cannot undo.
    static func applied(in headers: HTTPFields) throws(TarmacError) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        for name in try names(in: headers) {
            guard let coding = coding(named: name) else { throw unknown(name) }
            codings.append(coding)
        }
        return codings
    }

    /// The same where all of them can be undone; `nil` where one cannot, and the body stays as it came.
    static func appliedIfKnown(in headers: HTTPFields) throws(TarmacError) -> [ContentCoding]? {
        var codings: [ContentCoding] = []
        for name in try names(in: headers) {
            guard let coding = coding(named: name) else { return nil }
            codings.append(coding)
        }
        return codings
    }

    /// In lower case and without `identity`.
    private static func names(in headers: HTTPFields) throws(TarmacError) -> [String] {
        let names = (headers[.contentEncoding] ?? "").split(separator: ",").map { $0.trimmed.lowercased() }.filter { !$0.isEmpty }
        guard names.count <= maximumCount else { throw tooMany }
        return names.filter { $0 != "identity" }
    }

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

extension Response {
    /// The collected body, for whoever reads meaning in it.
    ///
    /// Throws `.undecodableContent`, naming the coding, when the body still is in one that nobody here could undo.
    package var readableBody: Bytes {
        get throws(TarmacError) {
            let bytes = body.collected ?? .empty
            guard !bytes.isEmpty else { return bytes }
            try checkCoding()
            return bytes
        }
    }

    /// The same of a body that is not collected.
    package func checkCoding() throws(TarmacError) {
        // Nearly every response: a look at the fields is cheaper than one by name, and at the length before that.
        guard !isDecoded, headers.contains(where: { $0.name.canonicalName.utf8.count == 16 && $0.name == .contentEncoding }) else { return }
        _ = try ContentCoding.applied(in: headers)
    }
}

/// The Accept-Encoding field (RFC 9110 §12.5.3).
package enum AcceptEncoding {
    /// What this platform can undo: `gzip, deflate`, and `br` on Apple platforms.
    static let value = PlatformCodings.offered.map(\.rawValue).joined(separator: ", ")
    /// For range requests and downloads, whose offsets count the coded bytes.
    package static let identity = "identity"
}
