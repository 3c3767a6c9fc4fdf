extension HTTPURL {
    /// Whether the host is this machine: `localhost` (RFC 6761 §6.3), `127.0.0.0/8` (RFC 1122 §3.2.1.3), `::1` (RFC 4291
    /// §2.5.3). Names below `localhost` are not taken for it: not every resolver keeps them at home.
    package var isLoopback: Bool {
        if host == "localhost" || host == "localhost." { return true }
        let text = host.hasPrefix("[") ? host.dropFirst().dropLast() : host[...]
        guard let address = IPAddressBytes(text) else { return false }
        return address.bytes.count == 4 ? address.bytes[0] == 127 : address.bytes == Self.loopback6
    }

    private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]
}
