import TarmacCore

/// The number of recent requests and of failures, counted in tenths of a period (pure). Its size does not depend on the
/// number of requests.
struct FailureWindow {
    private struct Slice {
        var number = Int.min
        var all = 0
        var failures = 0
    }
    static let slices = 10
    /// A tenth of a period. Without a lower limit, that of a few attoseconds would be nothing.
    static func slice(of period: Duration) -> Duration { max(period / slices, .nanoseconds(1)) }

    private var slices: [Slice] = []
    private var start: Moment?

    /// Adds a request. Returns the counts within the period, including the new request.
    ///
    /// - Parameter slice: a tenth of the period, and at least a nanosecond.
    mutating func add(isFailure: Bool, slice: Duration, now: Moment) -> (all: Int, failures: Int) {
        if slices.isEmpty { slices = Array(repeating: Slice(), count: Self.slices) }
        let start = start ?? now
        self.start = start
        let number = Int(max(0, min(1e18, (now - start) / slice)))
        let place = number % Self.slices
        if slices[place].number != number { slices[place] = Slice(number: number) }
        slices[place].all += 1
        if isFailure { slices[place].failures += 1 }
        // Nearly every request: the counts are not needed after a success.
        guard isFailure else { return (0, 0) }
        return slices.reduce((0, 0)) { sum, slice in
            slice.number > number - Self.slices ? (sum.0 + slice.all, sum.1 + slice.failures) : sum
        }
    }
}
