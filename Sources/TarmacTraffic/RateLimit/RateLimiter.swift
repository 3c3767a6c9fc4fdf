import TarmacCore

/// Decides when each request may be sent (pure). The generic cell rate algorithm (ITU-T I.371) is a token bucket that
/// stores only the time at which the bucket is full again.
struct RateLimiter {
    typealias Instant = Moment

    /// The time at which the bucket is full again.
    private var full: Instant?
    /// The time before which the server wants no request.
    private var blockedUntil: Instant?

    enum Turn: Equatable {
        case now
        case at(Instant)
        /// The turn would be later than the call can wait. Nothing was taken.
        case tooLate(Instant)
    }

    /// Takes the next turn.
    ///
    /// - Parameter limit: the time until which the call can wait.
    mutating func take(_ rule: RateLimitRule, now: Instant, limit: Instant?) -> Turn {
        let begin = max(now, blockedUntil ?? now)
        let base = max(full ?? begin, begin)
        let turn = max(base - rule.lead, begin)
        if turn > now, let limit, turn >= limit { return .tooLate(turn) }
        full = base + rule.interval
        return turn > now ? .at(turn) : .now
    }

    /// Returns an unused turn. Waiting requests keep their turns; the next new one gains.
    mutating func giveBack(_ rule: RateLimitRule, now: Instant) {
        if let full { self.full = max(full - rule.interval, now) }
    }

    /// Records that the server asks for a pause.
    mutating func block(until instant: Instant) { blockedUntil = max(blockedUntil ?? instant, instant) }

    /// Whether a turn must be taken again.
    func isBlocked(_ now: Instant) -> Bool { blockedUntil.map { $0 > now } ?? false }
}
