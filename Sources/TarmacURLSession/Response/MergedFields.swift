import HTTPTypes

/// Turns the dictionary `URLSession` makes of a header back into fields (RFC 9110 §5.3).
///
/// Repeated fields arrive joined by commas, which means the same for every field but Set-Cookie (RFC 6265 §3).
enum MergedFields {
    /// The fields of one header; names that are no tokens are left out.
    static func fields(from pairs: some Sequence<(name: String, value: String)>) -> HTTPFields {
        var fields = HTTPFields()
        for (text, value) in pairs {
            guard let name = HTTPField.Name(text) else { continue }
            for value in values(of: name, merged: value) {
                fields.append(HTTPField(name: name, value: value))
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

    /// The single values in a joined Set-Cookie: a comma parts two cookies when a name and `=` follow it, which no
    /// comma inside an Expires date has.
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

    // RFC 9110 §5.6.2.
    private static func isToken(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return false }
        return switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    // RFC 9110 §8.6: a length repeated with one value counts once; others are left for the caller to refuse.
    private static func contentLengths(in merged: String) -> [String] {
        guard merged.utf8.contains(UInt8(ascii: ",")) else { return [merged] }
        let values = merged.split(separator: ",").map { $0.filter { $0 != " " } }
        return Set(values).count == 1 ? [values[0]] : [merged]
    }
}
