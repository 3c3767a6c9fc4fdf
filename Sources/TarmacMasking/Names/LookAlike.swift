/// Digits and signs that replace letters, as in `p@ssw0rd` and `s3cret`.
enum LookAlike {
    @inline(__always)
    static func isOne(_ byte: UInt8) -> Bool { letter(byte) != 0 }

    /// Returns the letter that a sign resembles, or 0.
    @inline(__always)
    private static func letter(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0"): UInt8(ascii: "o")
        case UInt8(ascii: "1"): UInt8(ascii: "i")
        case UInt8(ascii: "3"): UInt8(ascii: "e")
        case UInt8(ascii: "4"), UInt8(ascii: "@"): UInt8(ascii: "a")
        case UInt8(ascii: "5"), UInt8(ascii: "$"): UInt8(ascii: "s")
        case UInt8(ascii: "7"): UInt8(ascii: "t")
        default: 0
        }
    }

    /// Writes a name with letters in place of one or two signs between letters. Returns whether there are any.
    static func write(_ name: UnsafeBufferPointer<UInt8>, to copy: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        for index in 0..<name.count { copy.initializeElement(at: index, to: name[index]) }
        var found = false, index = 1
        while index + 1 < name.count {
            let length = isOne(name[index]) ? isOne(name[index + 1]) ? 2 : 1 : 0
            if length > 0, isLetter(name[index - 1]), index + length < name.count, isLetter(name[index + length]) {
                for place in index..<index + length { copy[place] = letter(name[place]) }
                found = true
            }
            index += max(length, 1)
        }
        return found
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// Whether a rule is likely enough to be behind such a name: `s3_session` and `p1n` are names as they are.
    static func accepts(_ verdict: NameVerdict) -> Bool {
        switch verdict.rule {
        case .password, .secret, .token, .key, .credentials: true
        default: false
        }
    }
}
