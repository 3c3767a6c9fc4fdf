/// Decides when progress is told, and how fast it is (pure): at most every 50 ms, so 20 times a second.
struct ProgressMeter: Sendable {
    static let interval = Duration.milliseconds(50)
    /// How long a change of rate takes to show for about two thirds.
    static let smoothing = Duration.seconds(2)

    private var last: (at: ContinuousClock.Instant, bytes: Int64)?
    private(set) var rate: Double?

    /// Notes how many bytes have moved; whether it is time to tell.
    ///
    /// - Parameter isFinal: the last note of all, which is told whenever it comes.
    mutating func note(_ bytes: Int64, at now: ContinuousClock.Instant, isFinal: Bool = false) -> Bool {
        guard let (then, before) = last else {
            last = (now, bytes)
            return true
        }
        let span = now - then
        guard span >= Self.interval else { return isFinal }
        // Fewer than before: a resend or a changed entity began anew, which is no rate.
        if bytes >= before { measure(Double(bytes - before) / (span / .seconds(1)), over: span) }
        last = (now, bytes)
        return true
    }

    private mutating func measure(_ current: Double, over span: Duration) {
        guard let rate else { return rate = current }
        let weight = span / (span + Self.smoothing)
        self.rate = rate + weight * (current - rate)
    }
}
