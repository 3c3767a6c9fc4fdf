/// The secret values of a call, found again wherever they occur: literally, percent-encoded, escaped for JSON, HTML or XML, in
/// Base64, and so several times over.
///
/// At most 512 values of at least 6 bytes count, so that `1` is not masked everywhere. Of a longer value the first 64
/// bytes are compared, so that a truncated one is found as well.
package struct KnownSecrets: Sendable, Hashable {
    private static let shortest = 6, limit = 512

    private var values: Set<String> = []
    /// Made by ``prepare()``.
    private var matcher: KnownMatcher?

    package init(_ values: some Sequence<String> = []) { for value in values { insert(value) } }

    package static func == (a: KnownSecrets, b: KnownSecrets) -> Bool { a.values == b.values }
    package func hash(into hasher: inout Hasher) { hasher.combine(values) }

    package var isEmpty: Bool { values.isEmpty }

    package mutating func insert(_ value: String) {
        guard value.utf8.count >= Self.shortest, values.count < Self.limit, value != "true", value != "false" else { return }
        if values.insert(value).inserted { matcher = nil }
    }

    /// Makes the look-up once, for several texts. It takes time in proportion to the values.
    package mutating func prepare() {
        if matcher == nil, !isEmpty { matcher = KnownMatcher(patterns) }
    }

    private var patterns: [[UInt8]] {
        values.flatMap { value in
            let bytes = Array(value.utf8)
            return [bytes, Base64.text(bytes), Base64.text(bytes, isForURLs: true)] + Self.decoded(bytes)
        }
    }

    /// Returns what decoding makes of a value that looks as if it were encoded: of a text with several kinds of escapes, all are decoded.
    private static func decoded(_ bytes: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var level = bytes.withUnsafeBufferPointer { DecodedText($0) }
        for _ in 0..<DecodedText.deepest {
            guard let decoded = level, decoded.bytes.count >= shortest else { break }
            found.append(decoded.bytes)
            level = decoded.decoded
        }
        return found
    }

    /// Returns the places of the values in a text, in order and disjoint.
    func ranges(in text: TextBytes) -> [Range<Int>] {
        if isEmpty || text.count < Self.shortest { return [] }
        let matcher = matcher ?? KnownMatcher(patterns)
        var found = matcher.ranges(in: text.bytes) { $0 }
        var level = DecodedText(text.bytes)
        for _ in 0..<DecodedText.deepest {
            guard let decoded = level else { break }
            found += decoded.bytes.withUnsafeBufferPointer { matcher.ranges(in: $0) { decoded.source($0) } }
            level = decoded.decoded
        }
        return Self.joined(found)
    }

    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound < last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
