public import TarmacCore

/// A rule for repeating failed requests.
///
/// ```swift
/// options.retry = .exponential(maxAttempts: 3)
/// options.retry = .exponential(maxAttempts: 5, base: .seconds(1)) { $0.statuses.insert(423) }
/// options.retry = .never
/// ```
/// The rule repeats:
/// - Failures of the network that may pass (``TarmacError/isTransient``), the statuses of ``statuses`` and the codes of
///   `Envelope/retryable`. `circuitOpen`, `rateLimited` and `refreshFailed` are not repeated.
/// - A request with any method if the server has not acted on it (``TarmacError/reach``): the connection could not be
///   made, or the server says so (`requestUnprocessed`, status 421 or 425).
/// - Otherwise only a request with an idempotent method (RFC 9110 §9.2.2) or an `Idempotency-Key`
///   (``Options/idempotencyKey``), and any request under ``allowsAnyMethod``.
/// - A request with an `Idempotency-Key` that is answered 409 after an attempt on which the server may have acted: that
///   one may still be in progress (draft-ietf-httpapi-idempotency-key-header §2.7).
///
/// It never repeats a request whose body can be read only once, a call that was cancelled or is past its `deadline`, or
/// a download that has begun to write its file.
///
/// Pauses double, and each is chosen at random between zero and its length ("full jitter"), so that clients that failed
/// together do not return together. A `Retry-After` (RFC 9110 §10.2.3) is added to the pause. One above
/// ``maximumRetryAfter``, or a pause beyond the call's `deadline`, ends the call with its failure. A call that pauses
/// holds no dispatch slot. The count continues across redirects.
public struct RetryRule: Sendable, CustomStringConvertible {
    /// The decision of a classifier about a failure.
    public enum Advice: Sendable, Hashable {
        /// Follow the rule.
        case standard
        /// Repeat the request, if that is without risk.
        case retry
        /// Do not repeat the request.
        case fail
    }

    /// The maximum number of requests, including the first. Failovers and repeats of a transport do not count.
    public var maxAttempts: Int
    /// The longest pause before the second attempt. It doubles with each attempt. Default: 200 ms.
    public var base: Duration
    /// The longest pause. Default: 20 s.
    public var maximumDelay: Duration = .seconds(20)
    /// The longest `Retry-After` that the call waits for. Default: 60 s.
    public var maximumRetryAfter: Duration = .seconds(60)
    /// The statuses that are tried again. Default: 408, 421, 425, 429, 500, 502, 503, 504.
    ///
    /// 421 is repeated once, immediately, over a new connection (RFC 9110 §15.5.20). An acceptable status is not a
    /// failure.
    public var statuses = TarmacError.transientStatuses
    /// Whether the rule repeats a request that is not idempotent and has no key, although the server may have acted on
    /// it. Default: `false`.
    public var allowsAnyMethod = false
    /// The load that repeats may add to a host. Default: a fifth, with a reserve of ten repeats.
    public var budget = Budget()
    /// The budgets that other processes share. Default: `nil`, the service of each client has its own.
    package var sharedBudget: (any SharedRetryBudget)?
    /// Decides about each failure before the rule. Default: `.standard` for every failure.
    public var classifier: (@Sendable (TarmacError) -> Advice)?

    /// A limit on the load that repeats add to one host, so that they do not multiply an outage.
    ///
    /// Each call earns a part of a repeat, and each repeat costs a whole one. Unused repeats are kept up to the
    /// reserve.
    public struct Budget: Sendable, Hashable {
        /// The part of a repeat that a call earns, from 0 to 1. Default: 0.2.
        package var ratio: Double
        /// The number of repeats at the start, which is also the maximum. Default: 10.
        package var reserve: Int

        public init(ratio: Double = 0.2, reserve: Int = 10) {
            self.ratio = ratio
            self.reserve = reserve
        }

        /// A budget without a limit, for tests and for your own hosts.
        public static let unlimited = Budget(ratio: 1, reserve: .max)
        package var isUnlimited: Bool { reserve == .max }

        /// The reason why the budget is not valid, or `nil`.
        package var fault: String? {
            if !(0...1).contains(ratio) { return "the budget's ratio must be from 0 to 1" }
            return reserve < 0 ? "the budget's reserve is less than nothing" : nil
        }
    }

    /// A rule that repeats nothing.
    public static let never = RetryRule(maxAttempts: 1, base: .zero)

    /// Returns a rule with pauses that double.
    ///
    /// - Parameters:
    ///   - maxAttempts: the maximum number of requests, including the first. From 1 to 100. Default: 3.
    ///   - base: the longest first pause. Default: 200 ms.
    ///   - configure: changes the other properties of the rule.
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

    /// Whether the rule repeats requests.
    var retries: Bool { maxAttempts > 1 }

    /// The reason why the rule is not valid, or `nil`.
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
