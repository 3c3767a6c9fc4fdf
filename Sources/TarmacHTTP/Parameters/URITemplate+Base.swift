extension URITemplate {
    /// Whether the template is a whole URL of a scheme other than HTTP and HTTPS.
    package var namesForeignScheme: Bool {
        if isAbsolute || text.utf8.first == UInt8(ascii: "/") { return false }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return false }
        return text[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == ".") }
    }

    /// The whole encoded template if it has no expression.
    var literal: String? { storage.literal }

    /// The literal text before the first expression.
    package var literalPrefix: String? {
        text.utf8.firstIndex(of: UInt8(ascii: "{")).map { String(text[..<$0]) } ?? text
    }

    /// Whether the template is a whole URL, so that it is not resolved against a host.
    package var isAbsolute: Bool { storage.isAbsolute }
}
