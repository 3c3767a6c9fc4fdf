/// Decides when to report progress, at most every 50 ms, and computes the rate.
struct ProgressMeter: Sendable {
    static let interval = Duration.milliseconds(50)
    /// The time constant of the rate: after this time, the rate reflects about two thirds of a change.
    static let smoothing = Duration.seconds(2)

    private var last: (at: Moment, bytes: Int64)?
    private(set) var rate: Double?
    /// The end of the interval of the last report.
    var end: Moment? { last.map { $0.at + Self.interval } }

    /// Notes the number of bytes that have moved. Returns whether a report is due.
    ///
    /// - Parameter isFinal: whether this is the last note, for which a report is always due.
    mutating func note(_ bytes: Int64, at now: Moment, isFinal: Bool = false) -> Bool {
        guard let (then, before) = last else {
            last = (now, bytes)
            return true
        }
        let span = now - then
        guard span >= Self.interval else { return isFinal }
        // A smaller number means that a resend or a changed resource started over. It gives no rate.
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
