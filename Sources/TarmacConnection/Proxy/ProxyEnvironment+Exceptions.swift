import TarmacCore

/// The hosts in `no_proxy`: names with their subdomains, addresses, blocks of addresses, or `*` for all.
struct ProxyExceptions: Sendable {
    private let entries: [String]

    init(_ list: String) {
        entries = list.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init)
    }

    func contain(_ host: String) -> Bool {
        var name = host.lowercased()
        if name.hasPrefix("[") { name = String(name.dropFirst().dropLast()) }
        if name.hasSuffix(".") { name.removeLast() }
        let address = IPAddressBytes(name)
        return entries.contains { matches($0, name: name, address: address) }
    }

    private func matches(_ entry: String, name: String, address: IPAddressBytes?) -> Bool {
        if entry == "*" { return true }
        if let address { return AddressBlock(entry)?.contains(address) ?? false }
        var entry = entry[...]
        if entry.hasPrefix(".") { entry = entry.dropFirst() }
        if entry.hasSuffix(".") { entry = entry.dropLast() }
        guard !entry.isEmpty else { return false }
        return name == entry || name.hasSuffix(".\(entry)")
    }
}

/// A block of addresses such as `10.0.0.0/8` or `fe80::/10`, or a single address.
private struct AddressBlock {
    let address: IPAddressBytes
    let bits: Int

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard let first = parts.first, let address = IPAddressBytes(first.filter { $0 != "[" && $0 != "]" }) else { return nil }
        let width = address.bytes.count * 8
        guard let bits = parts.count == 2 ? Int(parts[1]) : width, (0...width).contains(bits) else { return nil }
        self.address = address
        self.bits = bits
    }

    func contains(_ other: IPAddressBytes) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        return (0..<bits).allSatisfy { bit in
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            return address.bytes[bit / 8] & mask == other.bytes[bit / 8] & mask
        }
    }
}
