/// Questions about the bytes of a text, none of which reads past its end.
struct TextBytes {
    let bytes: UnsafeBufferPointer<UInt8>

    var count: Int { bytes.count }

    subscript(_ place: Int) -> UInt8 {
        @inline(__always) get { place >= 0 && place < bytes.count ? bytes[place] : 0 }
    }

    func has(_ word: StaticString, at place: Int) -> Bool {
        guard place >= 0, place + word.utf8CodeUnitCount <= count else { return false }
        return (0..<word.utf8CodeUnitCount).allSatisfy { bytes[place + $0] == word.utf8Start[$0] }
    }

    func hasFolded(_ word: StaticString, at place: Int) -> Bool {
        guard place >= 0, place + word.utf8CodeUnitCount <= count else { return false }
        return (0..<word.utf8CodeUnitCount).allSatisfy { bytes[place + $0] | 0x20 == word.utf8Start[$0] }
    }

    /// Whether a secret may start here: before it is no letter or digit, or one that belongs to an escape.
    func isStart(_ place: Int) -> Bool {
        let before = self[place - 1]
        guard Self.isAlphanumeric(before) else { return true }
        return self[place - 2] == UInt8(ascii: "\\") || self[place - 3] == UInt8(ascii: "%")
    }

    func end(from start: Int, while isPart: (UInt8) -> Bool) -> Int {
        var end = start
        while end < count, isPart(bytes[end]) { end += 1 }
        return end
    }

    @inline(__always)
    static func isAlphanumeric(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 }
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    /// Base64 of URLs (RFC 4648 §5).
    static func isBase64URL(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") }
    /// The characters of credentials (RFC 6750 §2.1).
    static func isCredential(_ byte: UInt8) -> Bool { isBase64URL(byte) || "._~+/=".utf8.contains(byte) }
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
