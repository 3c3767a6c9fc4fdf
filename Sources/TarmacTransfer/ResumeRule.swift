/// The rule for how an interrupted download or resumable upload continues.
///
/// ```swift
/// options.resume = .automatic { $0.maxBarrenAttempts = 20 }
/// options.resume = .never
/// ```
/// A download requests the rest with Range and If-Range, so that a file which has changed in the meantime is sent as a
/// whole (RFC 9110 §13.1.5). That needs a strong validator: an ETag without `W/`, or a Last-Modified at least one
/// second older than the response. Without one, and for methods other than GET, an interruption is an error. The rule
/// applies after the head of the response has arrived; before, ``Options/retry`` decides. A `Retry-After` is added to
/// the pauses. If it is longer than ``RetryRule/maximumRetryAfter``, or exceeds the call's `deadline`, the transfer
/// ends.
public struct ResumeRule: Sendable, Hashable, CustomStringConvertible {
    /// The number of interruptions in a row without new bytes before the transfer fails. Default: 5.
    public var maxBarrenAttempts: Int = 5
    /// The longest pause after the first interruption without new bytes. Default: 500 ms.
    ///
    /// Each further pause may be twice as long. After progress there is no pause, unless more than 50 requests, and one
    /// for each 64 KiB, have ended before their content did; 50 more, and the transfer fails.
    public var base: Duration = .milliseconds(500)
    /// The upper limit of all pauses. Default: 30 s.
    public var maximumDelay: Duration = .seconds(30)
    package let isNever: Bool

    private init(isNever: Bool) { self.isNever = isNever }

    /// Does not continue: an interruption is an error.
    public static let never = ResumeRule(isNever: true)
    /// Continues with the default settings.
    public static let automatic = ResumeRule(isNever: false)
    /// Continues, with changes to the rule.
    public static func automatic(_ configure: (inout ResumeRule) -> Void) -> ResumeRule {
        var rule = automatic
        configure(&rule)
        return rule
    }

    /// The reason why the rule is invalid; `nil` if it is valid. The bounds are those of ``RetryRule``.
    var fault: String? {
        if maxBarrenAttempts < 0 || min(base, maximumDelay) < .zero { return "nothing of it may be negative" }
        return max(base, maximumDelay) > .seconds(86_400) ? "a span of time is longer than a day" : nil
    }

    public var description: String { isNever ? "never" : "up to \(maxBarrenAttempts) times without progress" }
}
