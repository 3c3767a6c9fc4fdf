/// The ASCII characters that stay as they are when a text is percent-encoded.
struct QueryAlphabet: Sendable {
    private let low: UInt64
    private let high: UInt64

    init(_ characters: String) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        for byte in characters.utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
        }
        self.low = low
        self.high = high
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    /// RFC 3986 §2.3.
    static let unreserved = QueryAlphabet(letters + "-._~")
    /// RFC 3986 §2.2 and §2.3: what `{+x}` and `{#x}` keep (RFC 6570 §3.2.1).
    static let reserved = QueryAlphabet(letters + "-._~" + ":/?#[]@!$&'()*+,;=")
    /// What the application/x-www-form-urlencoded serializer keeps (WHATWG URL §5.2).
    static let form = QueryAlphabet(letters + "*-._")

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low >> UInt64(byte) & 1 == 1 }
        return byte < 128 && high >> UInt64(byte & 63) & 1 == 1
    }

    /// Appends the UTF-8 of a text, percent-encoded; a space as a plus sign where forms want it.
    func append(_ text: String, to bytes: inout [UInt8], writesPlus: Bool = false) {
        var text = text
        text.withUTF8 { utf8 in
            for byte in utf8 {
                if contains(byte) {
                    bytes.append(byte)
                } else if writesPlus, byte == UInt8(ascii: " ") {
                    bytes.append(UInt8(ascii: "+"))
                } else {
                    PercentEncoding.append(byte, to: &bytes)
                }
            }
        }
    }
}
