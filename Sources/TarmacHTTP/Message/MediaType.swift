/// A media type as in Content-Type (RFC 9110 §8.3.1), in lower case.
package struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// The type and the subtype, such as `application/json`.
    package let essence: String
    /// The `charset` parameter, in lower case and without quotes.
    package let charset: String?

    /// Parses a media type. `nil` if the text is absent or has no `type/subtype`.
    ///
    /// A field that was doubled on the way is a list (RFC 9110 §8.3): its last valid member counts, with the charset of an
    /// earlier member of the same type if it has none.
    package init?(_ text: String?) {
        guard let text else { return nil }
        if text == "application/json" {
            essence = text
            charset = nil
            return
        }
        var found: MediaType?
        for member in text.split(outsideQuotesAt: UInt8(ascii: ",")) {
            guard let next = MediaType(member: member) else { continue }
            found = MediaType(essence: next.essence, charset: next.charset ?? (found?.essence == next.essence ? found?.charset : nil))
        }
        guard let found else { return nil }
        self = found
    }

    private init(essence: String, charset: String?) {
        self.essence = essence
        self.charset = charset
    }

    private init?(member: Substring) {
        let parts = member.split(outsideQuotesAt: UInt8(ascii: ";"))
        guard let essence = parts.first?.trimmed.lowercased() else { return nil }
        let halves = essence.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.init(essence: essence, charset: parts.dropFirst().lazy.compactMap(Self.charset).first)
    }

    private static func charset(in parameter: Substring) -> String? {
        guard let equals = parameter.firstIndex(of: "="), parameter[..<equals].trimmed.lowercased() == "charset" else { return nil }
        return parameter[parameter.index(after: equals)...].trimmed.unquoted.lowercased()
    }

    /// Whether the type is `application/json`, `text/json` or a `+json` type (RFC 6839 §3.1).
    package var isJSON: Bool {
        essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json")
    }

    /// Whether the type is `application/xml`, `text/xml` or an `+xml` type (RFC 7303 §9).
    package var isXML: Bool { essence == "application/xml" || essence == "text/xml" || essence.hasSuffix("+xml") }

    package var description: String { charset.map { "\(essence); charset=\($0)" } ?? essence }
}

extension StringProtocol {
    /// The parts between a separator, except where it is within a quoted string (RFC 9110 §5.6.4). Empty parts are omitted.
    package func split(outsideQuotesAt separator: UInt8) -> [SubSequence] {
        var parts: [SubSequence] = [], start = startIndex, isQuoted = false, isEscaped = false
        for index in utf8.indices {
            let byte = utf8[index]
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isQuoted
            } else if byte == separator, !isQuoted {
                if start < index { parts.append(self[start..<index]) }
                start = utf8.index(after: index)
            }
        }
        if start < endIndex { parts.append(self[start...]) }
        return parts
    }

    /// The content of a quoted string, or the text itself if it is none.
    package var unquoted: String {
        guard count > 1, first == "\"", last == "\"" else { return String(self) }
        var isEscaped = false
        return String(
            dropFirst().dropLast().filter { character in
                isEscaped = character == "\\" && !isEscaped
                return !isEscaped
            })
    }

    /// The text without optional white space (RFC 9110 §5.6.3) at its ends.
    package var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let start = firstIndex(where: { !isBlank($0) }), let end = lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(self[start...end])
    }
}
