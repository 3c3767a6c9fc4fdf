/// Writes questions of the Domain Name System (RFC 1035 §4.1; pure).
package enum DNSQuestion {
    package enum Kind: UInt16, Sendable { case ipv4 = 1, ipv6 = 28 }

    /// Returns the message of a question. Its number is 0, so that caches know equal questions (RFC 8484 §4.1).
    ///
    /// - Returns: `nil` for a name that no question can hold.
    package static func message(_ name: String, _ kind: Kind) -> [UInt8]? {
        guard let name = wireName(name) else { return nil }
        // The server is to ask others; one question.
        return [0, 0, 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 0] + name + [0, UInt8(kind.rawValue), 0, 1]
    }

    /// Returns a name as labels with their lengths.
    static func wireName(_ name: String) -> [UInt8]? {
        let labels = (name.hasSuffix(".") ? name.dropLast() : name[...]).utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        var bytes: [UInt8] = []
        for label in labels {
            guard (1...63).contains(label.count) else { return nil }
            bytes.append(UInt8(label.count))
            for byte in label { bytes.append((65...90).contains(byte) ? byte + 32 : byte) }
        }
        bytes.append(0)
        return bytes.count <= 255 ? bytes : nil
    }
}
