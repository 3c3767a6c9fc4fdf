#if Tools
import HTTPTypes
import Tarmac

/// `-H 'Name: value'`; `Name;` is an empty field, and `Name:` leaves it out, as with curl.
enum HeaderArgument {
    static func apply(_ texts: [String], to headers: inout HeaderSettings) throws(TarmacError) {
        for text in texts { try apply(text, to: &headers) }
    }

    private static func apply(_ text: String, to headers: inout HeaderSettings) throws(TarmacError) {
        if let colon = text.firstIndex(of: ":"), colon > text.startIndex {
            let name = trimmed(text[..<colon])
            let value = trimmed(text[text.index(after: colon)...])
            // Checked here, so that the message names the argument and not a setting.
            _ = try HTTPField.checked(name, value)
            return value.isEmpty ? headers.remove(name) : headers.append(name, value)
        }
        guard text.hasSuffix(";"), text.count > 1 else {
            throw TarmacError(
                .invalidParameter, "the header \"\(text.prefix(40))\" has no colon", suggestion: "write -H 'Name: value'")
        }
        headers.append(trimmed(text.dropLast()), "")
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) }) else { return "" }
        return String(text[first...last])
    }
}
#endif
