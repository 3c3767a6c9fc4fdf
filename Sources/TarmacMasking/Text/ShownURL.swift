/// The text of a URL or template for display, valid or not: without user information, and with the values of
/// secret names in its query masked.
package enum ShownURL {
    package static func text(_ text: String) -> String {
        // Nearly every template has neither character.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "=") }) else { return text }
        let start = afterScheme(text)
        let end = text[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? text.endIndex
        let (authority, rest) = split(text[start..<end], text[end...])
        return text[..<start] + authority + masked(rest)
    }

    private static func afterScheme(_ text: String) -> String.Index {
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
        guard let question = rest.firstIndex(of: "?") else { return SecretText(in: .inAddresses).masked(String(rest), shown) }
        let query = rest[rest.index(after: question)...]
        return rest[...question] + FormMask(.standard).masked(String(query), shown)
    }

    private static func shown(_ rule: SecretRule) -> String { "‹masked›" }
}
