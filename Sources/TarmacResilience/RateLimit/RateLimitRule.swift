import TarmacCore

/// How many requests a service is sent in a span of time.
///
/// ```swift
/// options.rateLimit = .perSecond(10)
/// options.rateLimit = .per(.seconds(60), 100, burst: 5)
/// ```
/// A token bucket for each service of a client: requests beyond it wait their turn in the order they came, repeats and
/// redirects included, and hold no dispatch slot meanwhile. A call whose turn would come later than its `queueTimeout` or
/// `deadline` allows fails at once with `TarmacError(.rateLimited)`. An answer 429 (RFC 6585 §4) holds the whole service back
/// for its `Retry-After`, a minute at most, or for the pace of one request without one. Set it in the service's layer: calls
/// with a rule of their own take from the same bucket at their own pace.
public struct RateLimitRule: Hashable, Sendable, CustomStringConvertible {
    /// How many requests within ``period``; 0 for no limit.
    let count: Int
    let period: Duration
    /// How many may go at once after a quiet time.
    let burst: Int
    /// The pace: the time of one request.
    let interval: Duration
    /// How far ahead of the pace a burst may be.
    let lead: Duration

    /// No limit.
    public static let off = RateLimitRule(count: 0, period: .seconds(1), burst: 1)
    /// So many a second.
    ///
    /// - Parameter burst: how many may go at once after a quiet time. Default 1.
    public static func perSecond(_ count: Int, burst: Int = 1) -> RateLimitRule { .per(.seconds(1), count, burst: burst) }
    /// So many within a period.
    public static func per(_ period: Duration, _ count: Int, burst: Int = 1) -> RateLimitRule {
        // Off is a value of its own; none at all is a fault.
        RateLimitRule(count: count == 0 ? -1 : count, period: period, burst: burst)
    }

    private init(count: Int, period: Duration, burst: Int) {
        self.count = count
        self.period = period
        self.burst = burst
        // What cannot be used must not overflow here either.
        let isSound = count > 0 && burst > 0 && burst <= 1_000_000 && period > .zero && period <= .seconds(86_400)
        interval = isSound ? period / count : .zero
        lead = isSound ? interval * (burst - 1) : .zero
    }

    var isOff: Bool { count == 0 }

    /// Why it cannot be used.
    var fault: String? {
        if isOff { return nil }
        if count < 1 || burst < 1 { return "it must let one request go at least" }
        if period <= .zero || period > .seconds(86_400) { return "the period is not between nothing and a day" }
        return burst > 1_000_000 || count > 1_000_000_000 ? "it is no limit; say .off" : nil
    }

    public var description: String { isOff ? "off" : "\(count) in \(period.shown), \(burst) at once" }
}
