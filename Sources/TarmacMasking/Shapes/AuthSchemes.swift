/// The schemes of `Authorization`, whose credentials are found wherever they occur: those that are registered (RFC 9110 §11.1),
/// and those of large providers.
enum AuthSchemes {
    private static let names: StaticString = """
        bearer basic token negotiate ntlm apikey api-key hoba hawk digest dpop ssws geniekey sharedkey sharedkeylite oauth bot jwt \
        aws4-hmac-sha256 zoho-oauthtoken splunk vapid mac key sharedaccesssignature kerberos scram-sha-256 privatetoken gitlab-token
        """
    /// By length, then in lower case.
    private static let table: [[[UInt8]]] = {
        var table = [[[UInt8]]](repeating: [], count: 32)
        for name in names.description.split(separator: " ") { table[name.utf8.count].append(Array(name.utf8)) }
        return table
    }()
    private static let longest = 24
    /// The first letters, for a quick look.
    static let starts: [Bool] = {
        var starts = [Bool](repeating: false, count: 128)
        for name in table.joined() { (starts[Int(name[0])], starts[Int(name[0] & 0xDF)]) = (true, true) }
        return starts
    }()

    /// Whether a text is one of the schemes.
    static func isScheme(_ text: TextBytes, _ range: Range<Int>) -> Bool {
        range.count <= longest && table[range.count].contains { name in range.indices.allSatisfy { text[$0] | 0x20 == name[$0 - range.lowerBound] } }
    }

    /// Schemes that are words of sentences about code: `the key userName is missing`.
    private static let prose: [StaticString] = ["key", "token", "basic", "digest", "mac", "bot"]

    private static func isProse(_ text: TextBytes, _ scheme: Range<Int>) -> Bool {
        prose.contains { $0.utf8CodeUnitCount == scheme.count && text.hasFolded($0, at: scheme.lowerBound) }
    }

    /// `SharedKey account:signature` has a colon.
    private static func isPart(_ byte: UInt8) -> Bool { TextBytes.isCredential(byte) || byte == UInt8(ascii: ":") }

    /// Returns the range of the credentials after the scheme at `place`.
    static func credentials(_ text: TextBytes, _ place: Int) -> Range<Int>? {
        var end = place
        while end < text.count, end - place <= longest, TextBytes.isAlphanumeric(text[end]) || text[end] == UInt8(ascii: "-") { end += 1 }
        guard end - place >= 3, end - place <= longest else { return nil }
        var start = end
        if text.has("%20", at: end) { start += 3 } else if text[end] == 0x20 || text[end] == UInt8(ascii: "+") { start += 1 } else { return nil }
        guard isScheme(text, place..<end) else { return nil }
        start = text.end(from: start, while: TextBytes.isBlank)
        // The next scheme may start inside what this one reads, as in `Bearer+a=Bearer+a=`. So little of it is read before it is one.
        let read = text.end(from: start, upTo: KeyShape.longest + 4, while: isPart)
        let isBare = !isProse(text, place..<end) || !KeyShape.isIdentifier(text, start..<read)
        guard isBare, KeyShape.isCredential(text, start..<read) else { return nil }
        return start..<text.end(from: read, while: isPart)
    }
}
