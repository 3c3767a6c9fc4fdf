/// The domains under which anyone can register a name. No cookie is set for them (RFC 6265bis §5.7.3 step 10).
///
/// The list is that of publicsuffix.org with the ICANN and the private domains (Mozilla Public License 2.0). It is
/// compiled into the program and searched in place. `scripts/make-public-suffixes` updates it.
public enum PublicSuffixList {
    /// Whether a host name, in lower-case ASCII, is itself a public suffix.
    public static func contains(_ host: String) -> Bool { suffix(of: host) == name(host) }

    /// Removes the dot of the root domain.
    private static func name(_ host: String) -> Substring { host.hasSuffix(".") ? host.dropLast() : host[...] }

    /// The public suffix that a host name ends with. For a top-level domain that is not on the list, that domain.
    static func suffix(of host: String) -> Substring {
        var rest = name(host)
        let last = rest.lastIndex(of: ".").map { rest[rest.index(after: $0)...] } ?? rest
        while true {
            let parent = rest.firstIndex(of: ".").map { rest[rest.index(after: $0)...] }
            // An exception of a wildcard: its parent domain is the suffix.
            if hasRule("!", rest) { return parent ?? rest }
            if hasRule("", rest) || parent.map({ hasRule("*.", $0) }) == true { return rest }
            guard let parent else { return last }
            rest = parent
        }
    }

    /// Whether there is a rule of a mark and a domain. The line of a top-level domain has the rest of each of its rules, or a dot for the
    /// domain itself.
    private static func hasRule(_ mark: String, _ domain: Substring) -> Bool {
        let dot = domain.lastIndex(of: "."), top = dot.map { domain[domain.index(after: $0)...] } ?? domain
        let rest = dot.map { mark + domain[..<$0] } ?? (mark == "" ? "." : String(mark.prefix(1)))
        return data.withUTF8Buffer { bytes in
            guard let line = piece(top.utf8, of: bytes[...], separatedBy: UInt8(ascii: "\n")) else { return false }
            return piece(rest.utf8, of: line.dropFirst(top.utf8.count + 1), separatedBy: space) != nil
        }
    }

    private static let space = UInt8(ascii: " ")

    /// Searches sorted pieces by bisection for the one whose first word is `word`.
    private static func piece(
        _ word: some Collection<UInt8>, of bytes: Slice<UnsafeBufferPointer<UInt8>>, separatedBy separator: UInt8
    ) -> Slice<UnsafeBufferPointer<UInt8>>? {
        var (low, high) = (bytes.startIndex, bytes.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            let start = bytes[low..<middle].lastIndex(of: separator).map { $0 + 1 } ?? low
            let end = bytes[middle..<high].firstIndex(of: separator) ?? high
            let first = bytes[start..<end].prefix { $0 != space }
            if first.elementsEqual(word) { return bytes[start..<end] }
            if first.lexicographicallyPrecedes(word) { low = end + 1 } else { high = start }
        }
        return nil
    }
}
