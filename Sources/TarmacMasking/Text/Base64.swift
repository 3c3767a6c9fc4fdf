/// Base64 without padding (RFC 4648), since this module has no Foundation.
enum Base64 {
    static func text(_ bytes: [UInt8], isForURLs: Bool = false) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8) + Array((isForURLs ? "-_" : "+/").utf8)
        var output: [UInt8] = [], bits = 0, count = 0
        output.reserveCapacity(bytes.count / 3 * 4 + 4)
        for byte in bytes {
            (bits, count) = ((bits << 8 | Int(byte)) & 0xFFFF, count + 8)
            while count >= 6 {
                count -= 6
                output.append(letters[bits >> count & 63])
            }
        }
        if count > 0 { output.append(letters[bits << (6 - count) & 63]) }
        return output
    }

    /// Returns the text of Base64, or nil if it is none or no UTF-8.
    static func decoded(_ text: Substring) -> String? {
        var output: [UInt8] = [], bits = 0, count = 0
        for byte in text.utf8 where byte != UInt8(ascii: "=") {
            guard let value = value(of: byte) else { return nil }
            (bits, count) = ((bits << 6 | value) & 0xFFFF, count + 6)
            if count >= 8 {
                count -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return output.isEmpty ? nil : String(validating: output)
    }

    private static func value(of byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) + 4
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

extension String {
    /// `String(validating:as:)` is of a newer standard library.
    fileprivate init?(validating bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
