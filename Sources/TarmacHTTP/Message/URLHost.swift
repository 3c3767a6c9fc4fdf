import TarmacMasking

/// Parses the host of a URL as in DNS and the Host field (RFC 3986 §3.2.2, RFC 1123 §2.1).
enum URLHost {
    /// - Parameter whole: the whole URL, for the text of the error.
    static func parse(_ text: Substring, whole: String) throws(TarmacError) -> String {
        if text.hasPrefix("[") { return try address(text, whole: whole) }
        let name = try ascii(text, whole: whole)
        if let fault = fault(of: name) { throw HTTPURLParser.invalid(whole, fault) }
        return name
    }

    private static func address(_ text: Substring, whole: String) throws(TarmacError) -> String {
        guard IPAddressBytes(text.dropFirst().dropLast())?.bytes.count == 16 else {
            throw HTTPURLParser.invalid(whole, "its IPv6 address is malformed")
        }
        return text.lowercased()
    }

    private static func ascii(_ text: Substring, whole: String) throws(TarmacError) -> String {
        let text = text.utf8.contains(UInt8(ascii: "%")) ? try decoded(text, whole: whole)[...] : text
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.utf8.contains(where: { (65...90).contains($0) }) ? text.lowercased() : String(text)
        }
        do { return try InternationalHost.ascii(String(text)) } catch {
            let label = String(String.UnicodeScalarView(error.label.unicodeScalars.prefix(63).map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }))
            throw HTTPURLParser.invalid(
                whole, "the label \"\(label)\" of its host cannot be written in ASCII", suggestion: "write the host in its xn-- form")
        }
    }

    /// Returns a name without its escapes, which are UTF-8 (RFC 3986 §3.2.2). A character that no host has is refused as if it was
    /// written plainly.
    private static func decoded(_ text: Substring, whole: String) throws(TarmacError) -> String {
        try HTTPURLParser.checkEscapes(Array(text.utf8), whole: whole)
        guard let name = PercentEncoding.decoded(text.utf8).withUnsafeBytes({ String(validUTF8: $0) }) else {
            throw HTTPURLParser.invalid(whole, "its host is not UTF-8")
        }
        return name
    }

    /// Returns the fault of a lower-case name, or `nil` if it is valid.
    private static func fault(of name: String) -> String? {
        var length = 0, dots = 0, isNumeric = true
        for byte in name.utf8 {
            if byte == UInt8(ascii: ".") {
                if length == 0 { return "its host has an empty label" }
                (length, dots) = (0, dots + 1)
            } else {
                guard isHostByte(byte) else { return "its host has a character no host has" }
                length += 1
                isNumeric = isNumeric && (48...57).contains(byte)
            }
        }
        // A final dot precedes the root, which is an empty label.
        let labels = length == 0 ? dots : dots + 1
        return isNumeric && labels > 1 && !isIPv4(name) ? "its host is made of numbers and is no IPv4 address" : nil
    }

    /// Whether a name is four numbers up to 255 without leading zeros, which some parsers read as octal (RFC
    /// 3986 §3.2.2).
    private static func isIPv4(_ name: String) -> Bool {
        let numbers = name.split(separator: ".")
        return numbers.count == 4 && numbers.allSatisfy { $0.utf8.count <= 3 && UInt8($0).map { String($0) } == String($0) }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 97...122, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("): true
        case UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"): true
        case UInt8(ascii: "="): true
        default: false
        }
    }
}
