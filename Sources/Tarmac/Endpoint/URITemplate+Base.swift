extension URITemplate {
    /// The whole template where it has no expression, already encoded.
    var literal: String? { storage.literal }

    /// The literal text before the first expression.
    var literalPrefix: String? {
        text.utf8.firstIndex(of: UInt8(ascii: "{")).map { String(text[..<$0]) } ?? text
    }

    /// Whether the template is a whole URL, so that it goes below no host.
    var isAbsolute: Bool {
        // Nearly every template begins with a slash.
        if text.utf8.first == UInt8(ascii: "/") { return false }
        guard let prefix = literalPrefix?.lowercased() else { return false }
        return prefix.hasPrefix("http://") || prefix.hasPrefix("https://")
    }
}
