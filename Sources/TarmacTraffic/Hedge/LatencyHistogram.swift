/// The durations of recent requests (pure). It counts in bins, eight for each doubling, in constant memory. At a
/// thousand requests, all counts are halved, so that old requests lose weight.
struct LatencyHistogram {
    private var counts: [UInt32] = []
    private(set) var total = 0
    /// The last result, valid for a few more requests, because searching the bins costs more than counting.
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

    /// Returns the time in which a part of the requests was answered, with a precision of an eighth, or `nil` before
    /// there are `minimum` requests.
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

    /// The longest duration with its own bin: about 19 hours.
    private static let longest = UInt64(1) << 36

    private static func microseconds(_ span: Duration) -> UInt64 {
        UInt64(min(max(span / .microseconds(1), 0), Double(longest)))
    }

    /// Returns the bin: the doubling, and the place in it from the three bits after the first.
    private static func bin(of microseconds: UInt64) -> Int {
        let value = min(microseconds, longest)
        if value < UInt64(binsPerDoubling) { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        return (exponent - 2) * binsPerDoubling + Int((value >> UInt64(exponent - 3)) & 7)
    }

    /// Returns the end of a bin, in microseconds.
    private static func end(of bin: Int) -> Int64 {
        if bin < binsPerDoubling { return Int64(bin) + 1 }
        let exponent = bin / binsPerDoubling + 2
        return (Int64(bin % binsPerDoubling) + Int64(binsPerDoubling) + 1) << Int64(exponent - 3)
    }
}
