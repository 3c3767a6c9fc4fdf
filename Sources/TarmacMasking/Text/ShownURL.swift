/// The text of a URL or template for display, valid or not: without user information, and with the values of
/// secret names in its query masked.
package enum ShownURL {
    package static func text(_ text: String) -> String {
        guard mayHaveSecret(text.utf8) else { return text }
        let start = afterScheme(text)
        let end = text[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
        let (authority, rest) = split(text[start..<end], text[end...])
        return text[..<start] + authority + masked(rest)
    }

    /// Whether a text has one of `@`, `=` and `:`, or a word as long as a key. Nearly no template has.
    private static func mayHaveSecret(_ text: String.UTF8View) -> Bool {
        var length = 0
        for byte in text {
            if byte == UInt8(ascii: "@") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":") { return true }
            length = (byte | 0x20) &- 0x61 < 26 || TextBytes.isDigit(byte) ? length + 1 : 0
            if length == shortestKey { return true }
        }
        return false
    }

    private static let shortestKey = 16

    private static func afterScheme(_ text: String) -> String.Index {
        if text.hasPrefix("//") { return text.index(text.startIndex, offsetBy: 2) }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return text.startIndex }
        return text.index(colon, offsetBy: 3)
    }

    /// A password may hold a delimiter by mistake. Then the authority ends too early, and the text after the
    /// colon is not a port.
    private static func split(_ authority: Substring, _ rest: Substring) -> (authority: String, rest: Substring) {
        if let at = authority.lastIndex(of: "@") { return ("…" + authority[at...], rest) }
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].dropFirst().allSatisfy(\.isNumber) else {
            return (String(authority), rest)
        }
        return rest.lastIndex(of: "@").map { ("…", rest[$0...]) } ?? (String(authority), rest)
    }

    private static func masked(_ rest: Substring) -> String {
        let question = rest.firstIndex(of: "?") ?? rest.endIndex
        let path = SecretText(in: .inAddresses).masked(String(rest[..<question]), shown)
        if question == rest.endIndex { return path }
        return path + "?" + FormMask(.standard).masked(String(rest[rest.index(after: question)...]), shown)
    }

    private static func shown(_ rule: SecretRule) -> String { "‹masked›" }
}
