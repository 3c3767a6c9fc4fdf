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
            if hasRule("!" + rest) { return parent ?? rest }
            if hasRule(String(rest)) || parent.map({ hasRule("*." + $0) }) == true { return rest }
            guard let parent else { return last }
            rest = parent
        }
    }

    /// Searches the sorted lines by bisection.
    private static func hasRule(_ rule: String) -> Bool {
        data.withUTF8Buffer { lines in
            var (low, high) = (0, lines.count)
            while low < high {
                let line = Self.line(at: (low + high) / 2, in: lines)
                if lines[line].elementsEqual(rule.utf8) { return true }
                if lines[line].lexicographicallyPrecedes(rule.utf8) { low = line.upperBound + 1 } else { high = line.lowerBound }
            }
            return false
        }
    }

    /// The line that contains an offset, including its newline.
    private static func line(at offset: Int, in lines: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let newline = UInt8(ascii: "\n")
        var start = offset, end = offset
        while start > 0, lines[start - 1] != newline { start -= 1 }
        while end < lines.count, lines[end] != newline { end += 1 }
        return start..<end
    }
}
