import TarmacCore

/// A rule for when a token is refreshed and how often the refresh is tried.
///
/// ```swift
/// RefreshRule { $0.leeway = .seconds(120) }
/// ```
public struct RefreshRule: Sendable, Hashable {
    /// The time before its expiry at which a token is refreshed while calls continue to use it, at most half of the
    /// time left. Zero waits for the expiry. Default: 30 s.
    public var leeway: Duration = .seconds(30)
    /// The maximum number of attempts of one refresh. Default: 4.
    public var maximumAttempts: Int = 4
    /// The longest pause before the second attempt. It doubles with each attempt. Default: 0.5 s.
    ///
    /// Each pause is chosen at random between zero and its length ("full jitter"). A longer `Retry-After` takes
    /// precedence. When refreshes fail one after another, calls wait as long before they start the next: from the
    /// second failure on they fail with its error, without a request, for this time, then twice as long. After a refusal,
    /// the store is read again three times, after this time and then twice as long: another process may be about to save a newer token.
    public var backOff: Duration = .milliseconds(500)
    /// The longest pause. If the server asks for a longer one, the refresh is not repeated. Default: 10 s.
    public var maximumBackOff: Duration = .seconds(10)
    /// The longest time that calls wait for one refresh with all its attempts. Default: 60 s.
    ///
    /// The refresh itself may take twice as long, and calls that come meanwhile wait for it: its answer may be the only copy of the next
    /// refresh token.
    public var timeout: Duration = .seconds(60)
    /// The time without a refresh after two new tokens in a row were refused before any call succeeded with them.
    /// Default: 30 s.
    public var coolDown: Duration = .seconds(30)

    /// Creates a rule with the defaults, changed by `change`.
    public init(_ change: (inout RefreshRule) -> Void = { _ in }) { change(&self) }

    /// Returns the pause after a failed attempt, counted from 1, or `nil` after the last one.
    ///
    /// - Parameter chance: from 0 up to 1, for the jitter.
    func pause(after attempt: Int, retryAfter: Duration?, chance: Double) -> Duration? {
        guard attempt < maximumAttempts, (retryAfter ?? .zero) <= maximumBackOff else { return nil }
        let longest = backOff.doubled(attempt - 1, atMost: maximumBackOff)
        return max(longest * chance, retryAfter ?? .zero)
    }

    /// The pauses in which another process may save a token, before a refusal ends the login. They leave half of the time
    /// limit to the refresh.
    var pausesAfterRefusal: [Duration] {
        (0..<3).map { min(backOff.doubled($0, atMost: maximumBackOff), timeout / 8) }
    }

    /// The reason why the rule is invalid, or `nil`.
    var fault: String? {
        if maximumAttempts < 1 { return "maximumAttempts of \(maximumAttempts) is less than one" }
        if timeout <= .zero { return "a timeout of \(timeout) leaves no time" }
        if min(leeway, backOff, maximumBackOff, coolDown) < .zero { return "a span of time is less than nothing" }
        let longest = max(leeway, backOff, maximumBackOff, max(coolDown, timeout))
        return longest > .seconds(3_155_695_200 as Int64) ? "a span of time is longer than a century" : nil
    }
}
