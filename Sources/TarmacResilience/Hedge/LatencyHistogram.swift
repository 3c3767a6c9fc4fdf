/// How long requests took lately (pure): counts in bins an eighth of a doubling wide, in constant memory. Old requests fade: at
/// a thousand, all counts are halved.
struct LatencyHistogram {
    private var counts: [UInt32] = []
    private(set) var total = 0
    /// The last answer, good for a few requests more: to look through the bins costs more than to count.
    private var known: (percentile: Double, span: Duration, until: Int)?
    private var added = 0

    private static let fading = 1_000
    private static let keptFor = 16
    private static let binsPerDoubling = 8

    mutating func add(_ span: Duration) {
        if counts.isEmpty { counts = Array(repeating: 0, count: Self.bin(of: .max) + 1) }
        counts[Self.bin(of: Self.microseconds(span))] += 1
        total += 1
        added += 1
        if total >= Self.fading { fade() }
    }

    /// The time within which that part of the requests was answered, to an eighth; `nil` before there were `minimum`.
    mutating func span(of percentile: Double, minimum: Int) -> Duration? {
        guard total >= max(minimum, 1) else { return nil }
        if let known, known.percentile == percentile, added < known.until { return known.span }
        let wanted = Int((Double(total) * percentile).rounded(.up))
        var sum = 0
        let bin = counts.firstIndex { count in
            sum += Int(count)
            return sum >= wanted
        }
        let span = Duration.microseconds(Self.end(of: bin ?? counts.count - 1))
        known = (percentile, span, added + Self.keptFor)
        return span
    }

    private mutating func fade() {
        total = 0
        for index in counts.indices {
            counts[index] /= 2
            total += Int(counts[index])
        }
    }

    // MARK: Bins

    /// The longest span that is told apart: about 19 hours.
    private static let longest = UInt64(1) << 36

    private static func microseconds(_ span: Duration) -> UInt64 {
        UInt64(min(max(span / .microseconds(1), 0), Double(longest)))
    }

    /// The doubling, and the place in it by the three bits behind the first.
    private static func bin(of microseconds: UInt64) -> Int {
        let value = min(microseconds, longest)
        if value < UInt64(binsPerDoubling) { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        return (exponent - 2) * binsPerDoubling + Int((value >> UInt64(exponent - 3)) & 7)
    }

    /// Where a bin ends, in microseconds.
    private static func end(of bin: Int) -> Int64 {
        if bin < binsPerDoubling { return Int64(bin) + 1 }
        let exponent = bin / binsPerDoubling + 2
        return (Int64(bin % binsPerDoubling) + Int64(binsPerDoubling) + 1) << Int64(exponent - 3)
    }
}
