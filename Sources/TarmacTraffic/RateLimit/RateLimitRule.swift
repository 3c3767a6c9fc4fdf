import TarmacCore

/// A limit on the number of requests to a service in a period of time.
///
/// ```swift
/// options.rateLimit = .perSecond(10)
/// options.rateLimit = .per(.seconds(60), 100, burst: 5)
/// ```
/// The limit is a token bucket for each service of a client; TarmacRedis has one for all processes of a fleet. Requests
/// above the limit, including repeats and redirects, wait in the order of arrival and hold no dispatch slot. A call that would wait longer than its `queueTimeout` or
/// `deadline` allows fails immediately with `TarmacError(.rateLimited)`.
///
/// A response with status 429 (RFC 6585 §4) pauses the whole service for its `Retry-After`, at most a minute, or for
/// the interval of one request if it has none.
///
/// Set the rule in the service's layer. Calls with a different rule take from the same bucket at their own rate.
public struct RateLimitRule: Hashable, Sendable, CustomStringConvertible {
    /// The number of requests within ``period``. 0 for no limit.
    let count: Int
    let period: Duration
    /// The number of requests that may be sent at once after a quiet time.
    let burst: Int
    /// The time for one request at the allowed rate.
    package let interval: Duration
    /// The time that a burst may be ahead of the rate.
    package let lead: Duration
    private var counter: SharedRateLimitBox?
    /// The count that other processes share. Default: `nil`, the service of each client has its own.
    package var shared: (any SharedRateLimit)? {
        get { counter?.limit }
        set { counter = newValue.map(SharedRateLimitBox.init) }
    }

    /// No limit.
    public static let off = RateLimitRule(count: 0, period: .seconds(1), burst: 1)
    /// Returns a limit of `count` requests per second.
    ///
    /// - Parameters:
    ///   - count: the number of requests per second, at least 1.
    ///   - burst: the number of requests that may be sent at once after a quiet time. Default: 1.
    public static func perSecond(_ count: Int, burst: Int = 1) -> RateLimitRule { .per(.seconds(1), count, burst: burst) }
    /// Returns a limit of `count` requests per period.
    public static func per(_ period: Duration, _ count: Int, burst: Int = 1) -> RateLimitRule {
        // Off is a separate value, so a limit of zero is an error.
        RateLimitRule(count: count == 0 ? -1 : count, period: period, burst: burst)
    }

    private init(count: Int, period: Duration, burst: Int) {
        self.count = count
        self.period = period
        self.burst = burst
        // An invalid rule must not overflow here.
        let isSound = count > 0 && burst > 0 && burst <= 1_000_000 && period > .zero && period <= .seconds(86_400)
        interval = isSound ? period / count : .zero
        lead = isSound ? interval * (burst - 1) : .zero
    }

    var isOff: Bool { count == 0 }

    /// The reason why the rule is invalid, or `nil`.
    var fault: String? {
        if isOff { return nil }
        if count < 1 || burst < 1 { return "it must let one request go at least" }
        if period <= .zero || period > .seconds(86_400) { return "the period is not between nothing and a day" }
        return burst > 1_000_000 || count > 1_000_000_000 ? "it is no limit; say .off" : nil
    }

    public var description: String { isOff ? "off" : "\(count) in \(period.shown), \(burst) at once" + (counter == nil ? "" : ", shared") }
}
