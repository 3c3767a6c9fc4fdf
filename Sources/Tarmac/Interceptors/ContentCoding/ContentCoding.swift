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
        var count = 0
        for element in (headers[.contentEncoding] ?? "").split(separator: ",") {
            let name = element.trimmed.lowercased()
            if name.isEmpty { continue }
            count += 1
            guard count <= maximumCount else { throw tooMany }
            if name != "identity" { codings.append(try coding(named: name)) }
        }
        return codings
    }

    private static func coding(named name: String) throws(TarmacError) -> ContentCoding {
        // RFC 9110 §8.4.1.3: a recipient treats x-gzip as gzip.
        let coding = ContentCoding(rawValue: name == "x-gzip" ? "gzip" : name)
        guard let coding, PlatformCodings.offered.contains(coding) else { throw unknown(name) }
        return coding
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

/// The Accept-Encoding field (RFC 9110 §12.5.3).
enum AcceptEncoding {
    /// What this platform can undo: `gzip, deflate`, and `br` on Apple platforms.
    static let value = PlatformCodings.offered.map(\.rawValue).joined(separator: ", ")
    /// For range requests and downloads, whose offsets count the coded bytes.
    static let identity = "identity"
}
