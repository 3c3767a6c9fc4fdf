extension Substring {
    /// The text without `+` and percent-encoding (WHATWG URL §5.1).
    package var formDecoded: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(self) }
        return String(decoding: PercentDecoding.bytes(utf8, plusIsBlank: true), as: UTF8.self)
    }
}
