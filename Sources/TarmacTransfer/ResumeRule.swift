/// How a download, or a resumable upload, goes on that broke off on its way.
///
/// ```swift
/// options.resume = .automatic { $0.maxBarrenAttempts = 20 }
/// options.resume = .never
/// ```
/// A download asks for the rest by Range, with If-Range, so that a file which has changed meanwhile comes as a whole (RFC 9110 §13.1.5).
/// That needs a strong validator: an ETag without `W/`, or a Last-Modified at least a second older than the answer. Without one, and
/// for methods other than GET, a break is an error. It begins once the head has come; before, ``Options/retry`` decides.
/// A `Retry-After` is added to the pauses; one beyond ``RetryRule/maximumRetryAfter``, or the call's `deadline`, ends the transfer.
public struct ResumeRule: Sendable, Hashable, CustomStringConvertible {
    /// How many interruptions in a row may bring nothing new. Default 5. Those after new bytes are not counted.
    public var maxBarrenAttempts: Int = 5
    /// The longest pause after the first interruption that brought nothing; each further one may be twice as long. After
    /// progress there is no pause. Default 500 ms.
    public var base: Duration = .milliseconds(500)
    /// The longest pause of all. Default 30 s.
    public var maximumDelay: Duration = .seconds(30)
    let isNever: Bool

    private init(isNever: Bool) { self.isNever = isNever }

    /// A break is an error.
    public static let never = ResumeRule(isNever: true)
    /// Goes on.
    public static let automatic = ResumeRule(isNever: false)
    /// Goes on, with changes to the rule.
    public static func automatic(_ configure: (inout ResumeRule) -> Void) -> ResumeRule {
        var rule = automatic
        configure(&rule)
        return rule
    }

    public var description: String { isNever ? "never" : "up to \(maxBarrenAttempts) times without progress" }
}
