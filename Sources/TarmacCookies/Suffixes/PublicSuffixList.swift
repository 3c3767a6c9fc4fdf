/// The domains under which anybody may register a name: no cookie is set for them (RFC 6265bis §5.7.3 step 10).
///
/// The list is that of publicsuffix.org, ICANN's and private domains alike (Mozilla Public License 2.0). It is part of
/// the program, is searched where it lies, and knows what was known when it was made: renew it with
/// `scripts/make-public-suffixes`.
public enum PublicSuffixList {
    /// Whether a host name, in lower-case ASCII, is a public suffix itself.
    public static func contains(_ host: String) -> Bool { suffix(of: host) == name(host) }

    /// Without the dot of the root.
    private static func name(_ host: String) -> Substring { host.hasSuffix(".") ? host.dropLast() : host[...] }

    /// The public suffix a host name ends with. A name whose top-level domain is not on the list has that domain.
    static func suffix(of host: String) -> Substring {
        var rest = name(host)
        let last = rest.lastIndex(of: ".").map { rest[rest.index(after: $0)...] } ?? rest
        while true {
            let parent = rest.firstIndex(of: ".").map { rest[rest.index(after: $0)...] }
            // An exception of a wildcard: its parent is the suffix.
            if hasRule("!" + rest) { return parent ?? rest }
            if hasRule(String(rest)) || parent.map({ hasRule("*." + $0) }) == true { return rest }
            guard let parent else { return last }
            rest = parent
        }
    }

    /// Searches the sorted lines by halves.
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

    /// The line an offset is in; its end of line belongs to it.
    private static func line(at offset: Int, in lines: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        let newline = UInt8(ascii: "\n")
        var start = offset, end = offset
        while start > 0, lines[start - 1] != newline { start -= 1 }
        while end < lines.count, lines[end] != newline { end += 1 }
        return start..<end
    }
}
