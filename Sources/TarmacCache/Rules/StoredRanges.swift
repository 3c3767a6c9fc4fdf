/// The ranges of a body that an entry contains, in ascending order, with a gap between each two (RFC 9111 §3.3; pure).
///
/// The stored body is the bytes of these ranges, one after another.
struct StoredRanges: Sendable, Equatable {
    private(set) var ranges: [Range<Int64>]

    /// The maximum number of ranges in one entry. More would make each lookup slower.
    static let maximumCount = 32

    init(_ ranges: [Range<Int64>] = []) { self.ranges = ranges.filter { !$0.isEmpty } }

    init(_ entry: CacheEntry) {
        guard let part = entry.part else {
            self.init([0..<max(0, entry.bodyLength)])
            return
        }
        var ranges: [Range<Int64>] = [], start = part.offset
        for gap in part.gaps {
            ranges.append(start..<gap.lowerBound)
            start = gap.upperBound
        }
        let before = ranges.reduce(0) { $0 + $1.length }
        ranges.append(start..<start + max(0, entry.bodyLength - before))
        self.init(ranges)
    }

    /// The number of bytes.
    var length: Int64 { ranges.reduce(0) { $0 + $1.length } }

    func contains(_ wanted: Range<Int64>) -> Bool { place(of: wanted) != nil }

    /// Returns the place of a range in the stored body, or `nil` if some of its bytes are missing.
    func place(of wanted: Range<Int64>) -> Range<Int64>? {
        var before: Int64 = 0
        for range in ranges {
            if range.lowerBound <= wanted.lowerBound, wanted.upperBound <= range.upperBound {
                let start = before + wanted.lowerBound - range.lowerBound
                return start..<start + wanted.length
            }
            before += range.length
        }
        return nil
    }

    /// Returns the shortest range that contains all missing bytes of `wanted`, or `nil` if none is missing.
    func missing(in wanted: Range<Int64>) -> Range<Int64>? {
        var lower = wanted.lowerBound, upper = wanted.upperBound
        if let range = ranges.first(where: { $0.contains(lower) }) { lower = range.upperBound }
        if let range = ranges.first(where: { $0.lowerBound < upper && upper <= $0.upperBound }) { upper = range.lowerBound }
        return lower < upper ? lower..<upper : nil
    }

    /// Stored and new bytes together. The body is the first `before` stored bytes, the new bytes, and the stored bytes
    /// from `after` on.
    struct Joined: Sendable, Equatable {
        let ranges: StoredRanges
        let before: Int64
        let after: Int64
    }

    /// Returns how a new range is joined with the stored ones, or `nil` if there would be too many ranges.
    func joined(with new: Range<Int64>) -> Joined? {
        if new.isEmpty { return nil }
        var before: Int64 = 0, after: Int64 = 0, union = new
        var lower: [Range<Int64>] = [], upper: [Range<Int64>] = []
        for range in ranges {
            before += max(0, min(range.upperBound, new.lowerBound) - range.lowerBound)
            after += max(0, min(range.upperBound, new.upperBound) - range.lowerBound)
            if range.upperBound < new.lowerBound {
                lower.append(range)
            } else if new.upperBound < range.lowerBound {
                upper.append(range)
            } else {
                union = min(union.lowerBound, range.lowerBound)..<max(union.upperBound, range.upperBound)
            }
        }
        let all = lower + [union] + upper
        return all.count > Self.maximumCount ? nil : Joined(ranges: StoredRanges(all), before: before, after: after)
    }

    /// Returns the description of the ranges for an entry, or `nil` if they are the whole body.
    func part(of total: Int64) -> CacheEntry.Part? {
        guard let first = ranges.first, ranges != [0..<total] else { return nil }
        var part = CacheEntry.Part(offset: first.lowerBound, total: total)
        part.gaps = zip(ranges, ranges.dropFirst()).map { $0.upperBound..<$1.lowerBound }
        return part
    }
}

extension Range<Int64> {
    /// The number of elements. `count` is an `Int`, which is too small for large bodies on watches with 32 bits.
    var length: Int64 { upperBound - lowerBound }
}
