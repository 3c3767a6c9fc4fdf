/// Converts the content of a validated string to a `String`.
enum StringReader {
    /// Converts text without a backslash.
    @inline(__always)
    static func string(plain text: Span<UInt8>) -> String {
        String(text)
    }

    /// Converts text with escapes. The result is never longer, so one allocation of that length is enough.
    static func string(unescaping text: Span<UInt8>) -> String {
        String(capacity: text.count) { unescape(text, into: &$0) }
    }

    private static func unescape(_ text: Span<UInt8>, into output: inout ByteSink) {
        var position = 0
        while position < text.count {
            let byte = text.byte(at: position)
            guard byte == 0x5C else {
                output.append(byte)
                position &+= 1
                continue
            }
            let letter = text.byte(at: position &+ 1)
            if letter == 0x75 {
                append(scalarEscape(text, &position), to: &output)
            } else {
                output.append(unescaped(letter))
                position &+= 2
            }
        }
    }

    private static func unescaped(_ letter: UInt8) -> UInt8 {
        switch letter {
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: 0x0A
        case 0x72: 0x0D
        case 0x74: 0x09
        default: letter
        }
    }

    /// Reads `\u` and four hexadecimal digits, or a pair of them for one scalar. The indexer has validated them.
    private static func scalarEscape(_ text: Span<UInt8>, _ position: inout Int) -> UInt32 {
        let unit = StringScanner.codeUnit(text, position) ?? 0xFFFD
        position += 6
        guard 0xD800...0xDBFF ~= unit, let low = StringScanner.codeUnit(text, position) else { return unit }
        position += 6
        return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }

    private static func append(_ scalar: UInt32, to output: inout ByteSink) {
        let encoded = Unicode.Scalar(scalar).flatMap { UTF8.encode($0) } ?? UTF8.encodedReplacementCharacter
        for byte in encoded { output.append(byte) }
    }
}

extension Tape {
    /// Returns the string or key at `index`, unescaped.
    @inline(__always)
    func string(at index: Int) -> String {
        let word = self[index]
        return withText(of: word) { word.kind == .escapedString ? StringReader.string(unescaping: $0) : String($0) }
    }

    /// Returns the text of a scalar as written; for a string, the text between the quotes.
    func source(of word: TapeWord) -> String { withText(of: word) { String($0) } }
}
