extension URITemplate {
    /// The whole template where it has no expression, already encoded.
    var literal: String? { storage.literal }

    /// The literal text before the first expression.
    var literalPrefix: String? {
        text.utf8.firstIndex(of: UInt8(ascii: "{")).map { String(text[..<$0]) } ?? text
    }

    /// Whether the template is a whole URL, so that it goes below no host.
    var isAbsolute: Bool { storage.isAbsolute }
}
