/// Whose turn is when (pure): the generic cell rate algorithm (ITU-T I.371), a token bucket that counts nothing but the time
/// at which it is full again.
struct RateLimiter {
    typealias Instant = ContinuousClock.Instant

    /// When the bucket is full again.
    private var full: Instant?
    /// The server wants no request before.
    private var blockedUntil: Instant?

    enum Turn: Equatable {
        case now
        case at(Instant)
        /// Later than the call can wait; nothing was taken.
        case tooLate(Instant)
    }

    /// Takes the next turn.
    ///
    /// - Parameter limit: until when the call can wait.
    mutating func take(_ rule: RateLimitRule, now: Instant, limit: Instant?) -> Turn {
        let begin = max(now, blockedUntil ?? now)
        let base = max(full ?? begin, begin)
        let turn = max(base - rule.lead, begin)
        if turn > now, let limit, turn >= limit { return .tooLate(turn) }
        full = base + rule.interval
        return turn > now ? .at(turn) : .now
    }

    /// Gives back a turn that was not used: those that stand behind it keep theirs, the next to come gains.
    mutating func giveBack(_ rule: RateLimitRule, now: Instant) {
        if let full { self.full = max(full - rule.interval, now) }
    }

    /// The server asks to be left alone.
    mutating func block(until instant: Instant) { blockedUntil = max(blockedUntil ?? instant, instant) }

    /// Whether a turn has to be taken anew.
    func isBlocked(_ now: Instant) -> Bool { blockedUntil.map { $0 > now } ?? false }
}
