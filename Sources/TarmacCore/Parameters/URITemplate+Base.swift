extension URITemplate {
    /// Whether it is a whole URL of a scheme that is not sent to, and no path.
    var namesForeignScheme: Bool {
        if isAbsolute || text.utf8.first == UInt8(ascii: "/") { return false }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return false }
        return text[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == ".") }
    }

    /// The whole template where it has no expression, already encoded.
    var literal: String? { storage.literal }

    /// The literal text before the first expression.
    var literalPrefix: String? {
        text.utf8.firstIndex(of: UInt8(ascii: "{")).map { String(text[..<$0]) } ?? text
    }

    /// Whether the template is a whole URL, so that it goes below no host.
    var isAbsolute: Bool { storage.isAbsolute }
}
