import TarmacCore

/// The hosts in `no_proxy`: names with their subdomains, addresses, and blocks of addresses. A list that is `*` and
/// nothing else means all hosts. Entries have no ports.
struct ProxyExceptions: Sendable {
    private let containsAll: Bool
    private let entries: [Substring]

    init(_ list: String) {
        containsAll = list == "*"
        entries = list.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
    }

    func contain(_ host: String) -> Bool {
        if containsAll { return true }
        var name = host.lowercased()[...]
        if name.hasPrefix("[") { name = name.dropFirst().dropLast() }
        if let address = IPAddressBytes(name) { return entries.contains { AddressBlock($0)?.contains(address) ?? false } }
        if name.hasSuffix(".") { name.removeLast() }
        return entries.contains { Self.matches($0, name: name) }
    }

    /// Whether an entry is a name or a domain above it. One dot before and one behind an entry do not count.
    private static func matches(_ entry: Substring, name: Substring) -> Bool {
        var entry = entry
        if entry.hasSuffix(".") { entry.removeLast() }
        if entry.hasPrefix(".") { entry.removeFirst() }
        return !entry.isEmpty && (name == entry || name.hasSuffix(".\(entry)"))
    }
}

/// A block of addresses such as `10.0.0.0/8` or `fe80::/10`, or a single address.
private struct AddressBlock {
    let address: IPAddressBytes
    let bits: Int

    init?(_ text: Substring) {
        let slash = text.firstIndex(of: "/") ?? text.endIndex
        guard let address = IPAddressBytes(text[..<slash].filter { $0 != "[" && $0 != "]" }) else { return nil }
        let width = address.bytes.count * 8, bits = Self.number(text[slash...].dropFirst())
        guard (0...width).contains(bits) else { return nil }
        self.address = address
        // To libcurl, a block of no bits is the address alone.
        self.bits = bits == 0 ? width : bits
    }

    /// Returns the number that a text begins with, as C's `atoi`: 0 if there is none.
    private static func number(_ text: Substring) -> Int {
        let sign = text.first == "-" ? -1 : 1
        let digits = text.drop { $0 == "-" || $0 == "+" }.prefix { $0.isASCII && $0.isNumber }.prefix(6)
        return sign * (Int(digits) ?? 0)
    }

    func contains(_ other: IPAddressBytes) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        return (0..<bits).allSatisfy { bit in
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            return address.bytes[bit / 8] & mask == other.bytes[bit / 8] & mask
        }
    }
}
