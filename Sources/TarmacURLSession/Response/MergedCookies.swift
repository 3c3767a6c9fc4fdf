/// Separates the Set-Cookie fields that `URLSession` has joined.
///
/// The platform joins with a comma and one space. A server may write the same two characters into a value, and the
/// text does not say which it was. So a place counts as joined only if the grammar of RFC 6265 §4.1.1 does not
/// allow it within the cookie before: a cookie's value has neither comma nor space, and the known attributes have
/// none that a name and `=` follow. In quotes, after any other attribute, and after a value outside the grammar,
/// the text stays one cookie, so that no value sets another cookie.
enum MergedCookies {
    static func values(in merged: String) -> [String] {
        let bytes = Array(merged.utf8)
        var cookies: [String] = [], start = 0, part = Part()
        for index in bytes.indices where index >= start {
            if joins(bytes, at: index), part.mayEnd {
                cookies.append(String(decoding: bytes[start..<index], as: UTF8.self))
                (start, part) = (index + 2, Part())
            } else {
                part.read(bytes[index])
            }
        }
        cookies.append(String(decoding: bytes[start...], as: UTF8.self))
        return cookies
    }

    /// Whether a comma, one space, a name and `=` are at `index`.
    private static func joins(_ bytes: [UInt8], at index: Int) -> Bool {
        guard bytes[index] == UInt8(ascii: ","), index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: " ") else { return false }
        var end = index + 2
        while end < bytes.count, isToken(bytes[end]) { end += 1 }
        return end > index + 2 && end < bytes.count && bytes[end] == UInt8(ascii: "=")
    }

    /// The part of a cookie that is being read: its name and value, or an attribute.
    private struct Part {
        private let isAttribute: Bool
        private var name: [UInt8] = []
        private var hasEquals = false
        private var length = 0
        private var quotes = 0
        /// Whether the value is one of RFC 6265 §4.1.1 so far.
        private var isRegular = true

        init(isAttribute: Bool = false) { self.isAttribute = isAttribute }

        /// Whether a cookie may end here.
        var mayEnd: Bool {
            isAttribute ? MergedCookies.attributes.contains(String(decoding: name, as: UTF8.self)) : hasEquals && isRegular && quotes != 1
        }

        mutating func read(_ byte: UInt8) {
            if byte == UInt8(ascii: ";"), quotes != 1 {
                self = Part(isAttribute: true)
            } else if hasEquals {
                length += 1
                if !isAttribute { check(byte) }
            } else if byte == UInt8(ascii: "=") {
                hasEquals = true
            } else if byte != UInt8(ascii: " "), name.count < 16 {
                name.append((65...90).contains(byte) ? byte | 0x20 : byte)
            }
        }

        /// A value may be in quotes as a whole.
        private mutating func check(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "\""):
                quotes += 1
                if quotes > 2 || quotes == 1 && length > 1 { isRegular = false }
            case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: if quotes == 2 { isRegular = false }
            default: isRegular = false
            }
        }
    }

    /// The attributes whose values have a grammar of their own.
    private static let attributes: Set<String> = [
        "expires", "max-age", "domain", "path", "secure", "httponly", "samesite", "partitioned", "priority", "version",
    ]

    // RFC 9110 §5.6.2: the characters of a token.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
