#if Crypto
/// Which signed messages were seen lately, in bounded memory (pure).
///
/// Messages are kept by the second they were signed in. The oldest second is forgotten when there is no room left, or when it is
/// out of its time, and from then on nothing from that second or before it is admitted: memory is bounded without a replay
/// getting through, and a clock that is set back opens no door.
struct ReplayWindow {
    enum Verdict: Equatable { case fresh, seen, forgotten }

    private let capacity: Int
    private let seconds: Int64
    private var seen: [Int64: Set<[UInt8]>] = [:]
    private(set) var count = 0
    /// Nothing signed then or before is admitted any more.
    private var floor = Int64.min

    /// - Parameters:
    ///   - seconds: how long a message can come again at all.
    ///   - capacity: how many are kept.
    init(seconds: Int64, capacity: Int) {
        self.seconds = seconds
        self.capacity = max(1, capacity)
    }

    mutating func admit(_ id: [UInt8], created: Int64, now: Int64) -> Verdict {
        forgetExpired(now)
        if created <= floor { return .forgotten }
        guard seen[created]?.contains(id) != true else { return .seen }
        if count >= capacity, let oldest = seen.keys.min() {
            // Of what remains the new one is the oldest: it has to go itself.
            if created < oldest { return .forgotten }
            forget(oldest)
            if created <= floor { return .forgotten }
        }
        seen[created, default: []].insert(id)
        count += 1
        return .fresh
    }

    private mutating func forgetExpired(_ now: Int64) {
        let (limit, overflow) = now.subtractingReportingOverflow(seconds)
        if overflow { return }
        for second in seen.keys where second < limit { forget(second) }
    }

    /// Whatever the reason: the clock may go back to where it could come again.
    private mutating func forget(_ second: Int64) {
        count -= seen.removeValue(forKey: second)?.count ?? 0
        floor = max(floor, second)
    }
}
#endif
