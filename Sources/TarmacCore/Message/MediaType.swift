/// A media type as in Content-Type (RFC 9110 §8.3.1), in lower case.
public struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// The type and the subtype, such as `application/json`.
    public let essence: String
    /// The `charset` parameter, in lower case and without quotes.
    public let charset: String?

    /// Parses a media type. `nil` if the text is absent or has no `type/subtype`.
    public init?(_ text: String?) {
        guard let text else { return nil }
        if text == "application/json" {
            essence = text
            charset = nil
            return
        }
        let parts = text.split(separator: ";", omittingEmptySubsequences: true)
        guard let first = parts.first else { return nil }
        let essence = first.trimmed.lowercased()
        let halves = essence.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.essence = essence
        charset = parts.dropFirst().lazy.compactMap(Self.charset(in:)).first
    }

    private static func charset(in parameter: Substring) -> String? {
        guard let equals = parameter.firstIndex(of: "=") else { return nil }
        guard parameter[..<equals].trimmed.lowercased() == "charset" else { return nil }
        let value = parameter[parameter.index(after: equals)...].trimmed
        let unquoted = value.hasPrefix("\"") && value.hasSuffix("\"") && value.count > 1 ? String(value.dropFirst().dropLast()) : value
        return unquoted.lowercased()
    }

    /// Whether the type is `application/json`, `text/json` or a `+json` type (RFC 6839 §3.1).
    public var isJSON: Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// Whether the type is `application/xml`, `text/xml` or an `+xml` type (RFC 7303 §9).
    package var isXML: Bool { essence == "application/xml" || essence == "text/xml" || essence.hasSuffix("+xml") }

    public var description: String { charset.map { "\(essence); charset=\($0)" } ?? essence }
}

extension StringProtocol {
    /// The text without optional white space (RFC 9110 §5.6.3) at its ends.
    package var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let start = firstIndex(where: { !isBlank($0) }), let end = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[start...end])
    }
}
