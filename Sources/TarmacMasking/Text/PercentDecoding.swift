/// The escapes of URLs and forms (RFC 3986 §2.1).
package enum PercentDecoding {
    /// Returns the bytes of a text without its escapes. A percent sign that two hexadecimal digits do not follow stays.
    ///
    /// - Parameter plusIsBlank: whether a plus stands for a blank, as in a form (WHATWG URL §5.1).
    package static func bytes(_ text: some Collection<UInt8>, plusIsBlank: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = [], rest = text[...]
        bytes.reserveCapacity(text.count)
        while let first = rest.popFirst() {
            if first == UInt8(ascii: "%"), let escaped = byte(rest.prefix(2)) {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(plusIsBlank && first == UInt8(ascii: "+") ? UInt8(ascii: " ") : first)
            }
        }
        return bytes
    }

    /// Returns the byte of two hexadecimal digits, or `nil`. `UInt8(_:radix:)` would take `+1` for a number.
    package static func byte(_ digits: some Collection<UInt8>) -> UInt8? {
        guard digits.count == 2 else { return nil }
        var value: UInt8 = 0
        for digit in digits {
            guard let half = half(digit) else { return nil }
            value = value << 4 | half
        }
        return value
    }

    /// Returns the value of a hexadecimal digit, or `nil`.
    package static func half(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
