/// The bytes of an IPv4 or IPv6 address in text form (RFC 3986 §3.2.2, RFC 4291 §2.2).
package struct IPAddressBytes: Equatable, Sendable {
    package let bytes: [UInt8]

    package init?(_ text: some StringProtocol) {
        let text = String(text)
        guard let bytes = text.utf8.contains(UInt8(ascii: ":")) ? Self.version6(text) : Self.version4(text.utf8).map(Self.bytes) else { return nil }
        self.bytes = bytes
    }

    /// Parses four numbers separated by dots, without leading zeros. The first is the highest byte of the result.
    static func version4(_ text: some Sequence<UInt8>) -> UInt32? {
        var address: UInt32 = 0, number: UInt32?, parts = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let grown = (number ?? 0) * 10 + UInt32(byte - UInt8(ascii: "0"))
                // Some parsers read a number with a leading zero as octal.
                if grown > 255 || number == 0 { return nil }
                number = grown
            case UInt8(ascii: "."):
                guard let part = number, parts < 3 else { return nil }
                address = address << 8 | part
                parts += 1
                number = nil
            default: return nil
            }
        }
        guard let number, parts == 3 else { return nil }
        return address << 8 | number
    }

    private static func bytes(_ address: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: address >> $0) } }

    private static func version6(_ text: String) -> [UInt8]? {
        guard let gap = text.firstRange(of: "::") else {
            let bytes = groups(text[...])
            return bytes?.count == 16 ? bytes : nil
        }
        // Only the last group may be an IPv4 address.
        guard !text[..<gap.lowerBound].contains("."), let head = groups(text[..<gap.lowerBound]), let tail = groups(text[gap.upperBound...]),
            head.count + tail.count <= 14
        else { return nil }
        return head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func groups(_ text: Substring) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        for part in text.split(separator: ":", omittingEmptySubsequences: false) {
            if part.contains(".") {
                guard let tail = version4(part.utf8), part.endIndex == text.endIndex else { return nil }
                bytes += self.bytes(tail)
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.first != UInt8(ascii: "+"), let group = UInt16(part, radix: 16) else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            }
        }
        return bytes
    }
}
