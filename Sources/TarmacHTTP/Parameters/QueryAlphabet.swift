/// The ASCII characters that percent-encoding keeps unchanged.
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
    /// The unreserved characters (RFC 3986 §2.3).
    static let unreserved = QueryAlphabet(letters + "-._~")
    /// The characters of RFC 3986 §2.2 and §2.3, which `{+x}` and `{#x}` keep (RFC 6570 §3.2.1).
    static let reserved = QueryAlphabet(letters + "-._~" + ":/?#[]@!$&'()*+,;=")
    /// The characters that the application/x-www-form-urlencoded serializer keeps (WHATWG URL §5.2).
    static let form = QueryAlphabet(letters + "*-._")

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        if byte < 64 { return low >> UInt64(byte) & 1 == 1 }
        return byte < 128 && high >> UInt64(byte & 63) & 1 == 1
    }

    /// Appends the UTF-8 of a text in percent-encoding. A space becomes a plus sign if `writesPlus` is set.
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
