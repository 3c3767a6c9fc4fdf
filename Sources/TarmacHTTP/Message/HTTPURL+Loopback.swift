extension HTTPURL {
    /// Whether the host is this machine: `localhost` (RFC 6761 §6.3), `127.0.0.0/8` (RFC 1122 §3.2.1.3), `::1`
    /// (RFC 4291 §2.5.3).
    ///
    /// Names below `localhost` do not count, because some resolvers look them up on the network.
    package var isLoopback: Bool {
        // The usual address, without parsing it.
        if host == "127.0.0.1" { return true }
        return switch host.utf8.first {
        case UInt8(ascii: "l"): host == "localhost" || host == "localhost."
        case UInt8(ascii: "1"): IPAddressBytes.version4(host.utf8).map { $0 >> 24 } == 127
        case UInt8(ascii: "["): IPAddressBytes(host.dropFirst().dropLast())?.bytes == Self.loopback6
        default: false
        }
    }

    private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]
}
