/// The field Content-Range (RFC 9110 §14.4).
package enum ContentRange: Equatable {
    /// A part of the resource as a half-open range of byte positions, and the total length if it is known.
    case part(Range<Int64>, total: Int64?)
    /// The requested range is not within the resource, whose length is given.
    case unsatisfied(total: Int64)

    /// Parses a field value. `nil` for a unit other than bytes and for a malformed or impossible range.
    package init?(_ text: String?) {
        guard let words = text?.split(separator: " ", maxSplits: 1), words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].trimmed.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let total = Self.number(halves[1])
        guard total != nil || halves[1] == "*" else { return nil }
        if halves[0] == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last, last < .max,
            total.map({ last < $0 }) ?? true
        else { return nil }
        self = .part(first..<last + 1, total: total)
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}
