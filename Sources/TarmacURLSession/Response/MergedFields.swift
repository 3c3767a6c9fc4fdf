import HTTPTypes
import TarmacCore

/// Converts the header dictionary of `URLSession` to fields (RFC 9110 §5.3).
///
/// Repeated fields arrive joined by commas. That has the same meaning for every field but Set-Cookie (RFC 6265
/// §3).
enum MergedFields {
    /// Returns the fields of a header. Fields whose name is not a token are omitted.
    ///
    /// - Throws: `TarmacError(.headersTooLarge)`.
    static func fields(from pairs: some Sequence<(name: String, value: String)>) throws(TarmacError) -> HTTPFields {
        var fields = HTTPFields()
        for (text, value) in pairs {
            guard let name = HTTPField.Name(text) else { continue }
            for value in values(of: name, merged: value) {
                try fields.add(HTTPField(name: name, value: value))
            }
        }
        return fields
    }

    private static func values(of name: HTTPField.Name, merged value: String) -> [String] {
        switch name {
        case .setCookie: setCookies(in: value)
        case .contentLength: contentLengths(in: value)
        default: [value]
        }
    }

    /// Returns the single values of a joined Set-Cookie. A comma separates two cookies if a name and `=` follow
    /// it. No comma inside an Expires date is like that.
    static func setCookies(in merged: String) -> [String] {
        var cookies: [String] = []
        var rest = Substring(merged)
        var searched = rest.startIndex
        while let comma = rest[searched...].firstIndex(of: ",") {
            let next = rest[rest.index(after: comma)...].drop { $0 == " " }
            if startsWithPair(next) {
                cookies.append(String(rest[..<comma]))
                rest = next
                searched = rest.startIndex
            } else {
                searched = rest.index(after: comma)
            }
        }
        cookies.append(String(rest))
        return cookies
    }

    private static func startsWithPair(_ text: Substring) -> Bool {
        guard let end = text.firstIndex(where: { !isToken($0) }) else { return false }
        return end > text.startIndex && text[end] == "="
    }

    // RFC 9110 §5.6.2: the characters of a token.
    private static func isToken(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return false }
        return switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    // RFC 9110 §8.6: a length that is repeated with the same value counts once. The caller refuses different
    // values.
    private static func contentLengths(in merged: String) -> [String] {
        guard merged.utf8.contains(UInt8(ascii: ",")) else { return [merged] }
        let values = merged.split(separator: ",").map { $0.filter { $0 != " " } }
        return Set(values).count == 1 ? [values[0]] : [merged]
    }
}
