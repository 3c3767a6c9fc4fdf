extension HostAddress {
    /// Whether the address is private, local, reserved or for documentation (RFC 6890), so that no public name has it.
    ///
    /// 198.18.0.0/15 does not count: a proxy on the device itself answers with such addresses.
    package var isPrivate: Bool {
        if !isIPv6 { return Self.ranges4.contains { $0.contains(bytes) } }
        // An address that carries an IPv4 one counts as that: NAT64 (RFC 6052 §2.1), and 6to4 (RFC 3056 §2).
        if bytes.starts(with: Self.nat64) { return HostAddress(bytes: bytes[12...])?.isPrivate ?? true }
        if bytes.starts(with: [0x20, 0x02]) { return HostAddress(bytes: bytes[2..<6])?.isPrivate ?? true }
        return Self.ranges6.contains { $0.contains(bytes) }
    }

    private struct Range {
        let start: [UInt8]
        let length: Int

        init(_ start: [UInt8], _ length: Int) { (self.start, self.length) = (start, length) }

        func contains(_ bytes: [UInt8]) -> Bool {
            for index in 0..<length / 8 where bytes[index] != (index < start.count ? start[index] : 0) { return false }
            let rest = length % 8, index = length / 8
            return rest == 0 || (bytes[index] ^ (index < start.count ? start[index] : 0)) >> (8 - rest) == 0
        }
    }

    private static let nat64: [UInt8] = [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]

    private static let ranges4 = [
        Range([0], 8), Range([10], 8), Range([100, 64], 10), Range([127], 8), Range([169, 254], 16), Range([172, 16], 12), Range([192, 0, 0], 24),
        Range([192, 0, 2], 24), Range([192, 88, 99], 24), Range([192, 168], 16), Range([198, 51, 100], 24), Range([203, 0, 113], 24),
        Range([224], 4), Range([240], 4),
    ]
    /// The first is that of `::`, of `::1` and of IPv4-compatible addresses, the second that of IPv4-translated ones. 2001::/32 is Teredo.
    private static let ranges6 = [
        Range([0], 96), Range([0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], 96), Range([0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01], 48), Range([0x01], 64),
        Range([0x20, 0x01, 0, 0], 32), Range([0x20, 0x01, 0x0D, 0xB8], 32), Range([0x3F, 0xFF], 20), Range([0x5F], 16),
        Range([0xFC], 7), Range([0xFE, 0x80], 10), Range([0xFE, 0xC0], 10), Range([0xFF], 8),
    ]
}

/// The names that a public DNS server does not know.
package enum LocalName {
    private static let domains = [
        "localhost", "local", "internal", "home.arpa", "test", "intranet", "private", "corp", "home", "lan", "localdomain",
    ]

    /// Whether a name belongs to a network of its own: it has one label, or a domain that is reserved or common for that (RFC 6761,
    /// RFC 6762 appendix G).
    package static func contains(_ name: String) -> Bool { !name.contains(".") || domains.contains { name.hasSuffix(".\($0)") } }

    /// Whether a name is this machine's (RFC 6761 §6.3).
    package static func isLoopback(_ name: String) -> Bool { name == "localhost" || name.hasSuffix(".localhost") }
}
