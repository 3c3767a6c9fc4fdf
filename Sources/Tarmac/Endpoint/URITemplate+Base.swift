extension URITemplate {
    /// The literal text before the first expression.
    var literalPrefix: String? {
        text.firstIndex(of: "{").map { String(text[..<$0]) } ?? text
    }

    /// Whether the template is a whole URL, so that it goes below no host.
    var isAbsolute: Bool {
        guard let prefix = literalPrefix?.lowercased() else { return false }
        return prefix.hasPrefix("http://") || prefix.hasPrefix("https://")
    }
}
