/// When a token is refreshed, and how long it is tried.
///
/// ```swift
/// RefreshRule { $0.leeway = .seconds(120) }
/// ```
public struct RefreshRule: Sendable, Hashable {
    /// How long before its expiry a token is refreshed while calls go on with it; half of what is left of it at most.
    /// Zero waits for the expiry. Default 30 s.
    public var leeway: Duration = .seconds(30)
    /// How often one refresh asks at most. Default 4.
    public var maximumAttempts: Int = 4
    /// The longest pause before the second attempt; each further one may be twice as long. The pause is chosen at random
    /// between nothing and this ("full jitter"), and a longer `Retry-After` wins. Default 0.5 s.
    public var backOff: Duration = .milliseconds(500)
    /// The longest pause; a server that asks for more is not asked again. Default 10 s.
    public var maximumBackOff: Duration = .seconds(10)
    /// How long one refresh may take with all its attempts. Default 60 s.
    public var timeout: Duration = .seconds(60)
    /// How long no refresh is tried after two new tokens in a row were refused everywhere. Default 30 s.
    public var coolDown: Duration = .seconds(30)

    /// A rule with its defaults, or changed in place.
    public init(_ change: (inout RefreshRule) -> Void = { _ in }) { change(&self) }

    /// How long to wait after a failed attempt, from 1; `nil` when it was the last.
    ///
    /// - Parameter chance: from 0 up to 1, for the jitter.
    func pause(after attempt: Int, retryAfter: Duration?, chance: Double) -> Duration? {
        guard attempt < maximumAttempts, (retryAfter ?? .zero) <= maximumBackOff else { return nil }
        // Beyond 2^20 every back-off is past its maximum.
        let longest = min(backOff * (1 << min(attempt - 1, 20)), maximumBackOff)
        return max(longest * chance, retryAfter ?? .zero)
    }

    /// Why it cannot be used.
    var fault: String? {
        if maximumAttempts < 1 { return "maximumAttempts of \(maximumAttempts) is less than one" }
        if timeout <= .zero { return "a timeout of \(timeout) leaves no time" }
        if min(leeway, backOff, maximumBackOff, coolDown) < .zero { return "a span of time is less than nothing" }
        return nil
    }
}
