/// Whether a text looks like a key, and not like words (pure).
enum KeyShape {
    /// More than this is read of no text that may turn out to be none.
    static let longest = 128

    /// Whether the text after a scheme, as in `Bearer …`, is a credential: it has a digit or a padding, mixed case inside, or is
    /// longer than words are. Words joined by `-`, `_`, `.` or `/` are none.
    static func isCredential(_ text: TextBytes, _ range: Range<Int>) -> Bool {
        guard range.count >= 6, !isSlug(text, range) else { return false }
        // `Bearer realm="…"` is a challenge.
        if let equals = range.prefix(longest).first(where: { text[$0] == UInt8(ascii: "=") }) {
            return equals + 2 >= range.upperBound && text[range.upperBound] != 0x22
        }
        if range.count >= 20 { return true }
        var hasUpper = false, hasLower = false
        for place in range {
            let byte = text[place]
            if TextBytes.isDigit(byte) { return true }
            if place > range.lowerBound, byte &- 0x41 < 26 { hasUpper = true }
            if byte &- 0x61 < 26 { hasLower = true }
        }
        return hasUpper && hasLower
    }

    /// Whether a text is nothing but a key: at least twelve characters with letters and digits, and not words.
    static func isKey(_ text: TextBytes, _ range: Range<Int>) -> Bool {
        guard range.count >= 12, !isSlug(text, range) else { return false }
        let head = range.prefix(longest)
        return head.contains { TextBytes.isDigit(text[$0]) } && head.contains { (text[$0] | 0x20) &- 0x61 < 26 }
    }

    /// Whether a text is a name of code: two to four words, written together with a capital each, as `userName` and `CodingKeys`.
    static func isIdentifier(_ text: TextBytes, _ range: Range<Int>) -> Bool {
        guard range.count <= 40, range.allSatisfy({ (text[$0] | 0x20) &- 0x61 < 26 }) else { return false }
        let uppers = range.dropFirst().filter { text[$0] &- 0x41 < 26 }.count
        return uppers > 0 && uppers <= 3 && (uppers + 1) * 3 <= range.count
    }

    /// Whether a text consists of several words and short numbers: `2024-winter-sale`, `annual_report_v2`.
    static func isSlug(_ text: TextBytes, _ range: Range<Int>) -> Bool {
        if range.count > longest { return false }
        var start = range.lowerBound, parts = 0
        while start <= range.upperBound {
            let end = text.end(from: start) { TextBytes.isAlphanumeric($0) }
            let part = start..<min(end, range.upperBound)
            if !part.isEmpty {
                guard isWordOrNumber(text, part) else { return false }
                parts += 1
            }
            if part.upperBound < range.upperBound, !"-_./~".utf8.contains(text[part.upperBound]) { return false }
            start = part.upperBound + 1
        }
        return parts > 1
    }

    /// `winter`, `Winter`, `WINTER`, `v2`, `2024`, `20240131`.
    private static func isWordOrNumber(_ text: TextBytes, _ part: Range<Int>) -> Bool {
        let letters = part.prefix { !TextBytes.isDigit(text[$0]) }.count, digits = part.count - letters
        guard part.dropFirst(letters).allSatisfy({ TextBytes.isDigit(text[$0]) }) else { return false }
        if letters == 0 { return digits <= 8 }
        guard letters <= 16, digits <= 2 else { return false }
        let uppers = part.prefix(letters).filter { text[$0] &- 0x41 < 26 }.count
        return uppers == 0 || uppers == letters || uppers == 1 && text[part.lowerBound] &- 0x41 < 26
    }
}
