import TarmacCore

/// The IPv4 or IPv6 address of a host.
package struct HostAddress: Hashable, Sendable {
    /// 4 or 16 bytes.
    package let bytes: [UInt8]

    /// Parses an address without brackets, zone or port.
    package init?(_ text: some StringProtocol) {
        guard let parsed = IPAddressBytes(text) else { return nil }
        self.init(bytes: parsed.bytes)
    }

    /// - Parameter bytes: 4 or 16 bytes, as in the data of a record. An IPv4 address in the form of an IPv6 one becomes what it is.
    package init?(bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes.count == 16 && bytes.starts(with: Self.mapped) ? Array(bytes[12...]) : bytes
    }

    /// RFC 4291 §2.5.5.2.
    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    package var isIPv6: Bool { bytes.count == 16 }

    /// The text form, without brackets.
    package var text: String {
        if !isIPv6 { return bytes.map { String($0) }.joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2).map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
    }

    /// The text form as the host of a URL (RFC 3986 §3.2.2).
    package var host: String { isIPv6 ? "[\(text)]" : text }
}
