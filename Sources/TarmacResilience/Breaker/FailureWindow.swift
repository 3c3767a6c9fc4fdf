/// How many requests there were lately, and how many failed, counted in tenths of a span of time (pure): what it takes does
/// not grow with the number of requests.
struct FailureWindow {
    private struct Slice {
        var number = Int.min
        var all = 0
        var failures = 0
    }
    static let slices = 10
    private var slices: [Slice] = []
    private var start: ContinuousClock.Instant?

    /// Adds a request; returns the counts within the span, the new one included.
    ///
    /// - Parameter slice: a tenth of the span.
    mutating func add(isFailure: Bool, slice: Duration, now: ContinuousClock.Instant) -> (all: Int, failures: Int) {
        if slices.isEmpty { slices = Array(repeating: Slice(), count: Self.slices) }
        let start = start ?? now
        self.start = start
        let number = Int((now - start) / slice)
        let place = number % Self.slices
        if slices[place].number != number { slices[place] = Slice(number: number) }
        slices[place].all += 1
        if isFailure { slices[place].failures += 1 }
        // Nearly every request: nobody asks after a success.
        guard isFailure else { return (0, 0) }
        return slices.reduce((0, 0)) { sum, slice in
            slice.number > number - Self.slices ? (sum.0 + slice.all, sum.1 + slice.failures) : sum
        }
    }
}
