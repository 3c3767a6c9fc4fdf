#if Crypto
/// The recently seen signed messages, in bounded memory (pure).
///
/// Messages are kept by the second in which they were signed. The oldest second is forgotten when there is no room, or
/// when its messages have expired. From then on no message of that second or an earlier one is admitted. This bounds
/// the memory without admitting a replay, also after the clock is set back.
struct ReplayWindow {
    enum Verdict: Equatable { case fresh, seen, forgotten }

    private let capacity: Int
    private let seconds: Int64
    private var seen: [Int64: Set<[UInt8]>] = [:]
    private(set) var count = 0
    /// The second up to which no message is admitted.
    private var floor = Int64.min

    /// - Parameters:
    ///   - seconds: The time in which a message could be replayed.
    ///   - capacity: The number of messages to keep.
    init(seconds: Int64, capacity: Int) {
        self.seconds = seconds
        self.capacity = max(1, capacity)
    }

    mutating func admit(_ id: [UInt8], created: Int64, now: Int64) -> Verdict {
        forgetExpired(now)
        if created <= floor { return .forgotten }
        guard seen[created]?.contains(id) != true else { return .seen }
        if count >= capacity, let oldest = seen.keys.min() {
            // The new message is the oldest, so it is not kept itself.
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

    /// Forgets a second and refuses its messages from then on, because the clock may be set back to it.
    private mutating func forget(_ second: Int64) {
        count -= seen.removeValue(forKey: second)?.count ?? 0
        floor = max(floor, second)
    }
}
#endif
