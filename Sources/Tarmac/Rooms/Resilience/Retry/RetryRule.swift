/// Which failures are tried again, how often, and after how long.
///
/// ```swift
/// options.retry = .exponential(maxAttempts: 3)
/// options.retry = .exponential(maxAttempts: 5, base: .seconds(1)) { $0.statuses.insert(423) }
/// options.retry = .never
/// ```
/// The rule repeats:
/// - Failures of the network that may pass (``TarmacError/isTransient``), the statuses of ``statuses`` and the codes of
///   ``Envelope/retryable``. `circuitOpen`, `rateLimited` and `refreshFailed` are not repeated.
/// - A request with any method if the server has not acted on it (``TarmacError/reach``): the connection could not be made, or
///   the server says so (`requestUnprocessed`, status 421 or 425).
/// - Otherwise only a request with an idempotent method (RFC 9110 §9.2.2) or an `Idempotency-Key` (``Options/idempotencyKey``),
///   and any request under ``allowsAnyMethod``.
/// - Nothing whose body can be read only once, nothing that ran out of its `deadline` or was cancelled, and no download
///   whose file has been begun.
///
/// Pauses grow twofold and are chosen at random between nothing and their length ("full jitter"), so that clients that
/// failed together do not come back together. A `Retry-After` (RFC 9110 §10.2.3) in seconds or as a date is added to them; one
/// beyond ``maximumRetryAfter`` ends the call with its answer, since asking earlier would do harm. So does a pause that would
/// last beyond the call's `deadline`. A waiting call holds no dispatch slot. Redirects do not begin to count anew.
public struct RetryRule: Sendable, CustomStringConvertible {
    /// What a classifier of one's own says about a failure.
    public enum Advice: Sendable, Hashable {
        /// As the rule says.
        case standard
        /// Try again, if the request may be repeated at all.
        case retry
        /// Leave it.
        case fail
    }

    /// How many requests there are at most, the first included; failovers and stale-connection resends count apart.
    public var maxAttempts: Int
    /// The longest pause before the second attempt; each further one may be twice as long. Default 200 ms.
    public var base: Duration
    /// The longest pause of all. Default 20 s.
    public var maximumDelay: Duration = .seconds(20)
    /// The longest `Retry-After` that is waited for. Default 60 s.
    public var maximumRetryAfter: Duration = .seconds(60)
    /// The statuses that are tried again. Default: 408, 421, 425, 429, 500, 502, 503, 504.
    ///
    /// 421 is repeated once, immediately, over a new connection (RFC 9110 §15.5.20). An acceptable status is not a failure.
    public var statuses = TarmacError.transientStatuses
    /// Whether requests that are not idempotent are repeated without a key although the server may have acted on them.
    /// Default: no.
    public var allowsAnyMethod = false
    /// What repeats may make of a host's load. Default: a fifth more, and ten at once.
    public var budget = Budget()
    /// Looks at each failure first. Default: `.standard` for all.
    public var classifier: (@Sendable (TarmacError) -> Advice)?

    /// How much repeats may add to the load of one host, so that an outage is not multiplied: each call earns a part of a
    /// repeat, each repeat costs a whole one, and what was not used is kept up to the reserve.
    public struct Budget: Sendable, Hashable {
        /// What one call earns, from 0 to 1. Default 0.2: a fifth more requests in the long run.
        public var ratio: Double
        /// How many repeats there are at the start, and at most. Default 10.
        public var reserve: Int

        public init(ratio: Double = 0.2, reserve: Int = 10) {
            self.ratio = ratio
            self.reserve = reserve
        }

        /// As many repeats as ``maxAttempts`` allows; for tests, and for hosts that are one's own.
        public static let unlimited = Budget(ratio: 1, reserve: .max)
        var isUnlimited: Bool { reserve == .max }

        /// Why it cannot be used.
        var fault: String? {
            if !(0...1).contains(ratio) { return "the budget's ratio must be from 0 to 1" }
            return reserve < 0 ? "the budget's reserve is less than nothing" : nil
        }
    }

    /// Nothing is tried again.
    public static let never = RetryRule(maxAttempts: 1, base: .zero)

    /// Tries again after pauses that double.
    ///
    /// - Parameters:
    ///   - maxAttempts: how many requests at most, the first included. Default 3; from 1 to 100.
    ///   - base: the longest first pause.
    ///   - configure: changes what else the rule says.
    public static func exponential(
        maxAttempts: Int = 3, base: Duration = .milliseconds(200), configure: (inout RetryRule) -> Void = { _ in }
    ) -> RetryRule {
        var rule = RetryRule(maxAttempts: maxAttempts, base: base)
        configure(&rule)
        return rule
    }

    private init(maxAttempts: Int, base: Duration) {
        self.maxAttempts = maxAttempts
        self.base = base
    }

    /// Whether there is anything to do.
    var retries: Bool { maxAttempts > 1 }

    /// Why it cannot be used.
    var fault: String? {
        if !(1...100).contains(maxAttempts) { return "maxAttempts must be from 1 to 100" }
        if min(base, maximumDelay, maximumRetryAfter) < .zero { return "a span of time is less than nothing" }
        if max(base, maximumDelay, maximumRetryAfter) > .seconds(86_400) { return "a span of time is longer than a day" }
        return budget.fault
    }

    public var description: String {
        retries ? "up to \(maxAttempts) attempts, first pause up to \(base.shown)" : "never"
    }
}
