/// The reason why a failure that may pass was not retried.
enum RetryRefusal: String, Sendable, CaseIterable {
    /// The attempts of the rule are used up.
    case attemptsUsedUp
    /// The request is not idempotent, has no `Idempotency-Key`, and the server may have acted on it.
    case notIdempotent
    /// The body can be read only once, or a part of the response is already in a file.
    case notReplayable
    /// The retry budget of the host is used up (``RetryRule/Budget``).
    case budgetSpent
    /// The pause would end after the call's deadline.
    case pastDeadline
    /// The server asks for a longer pause than ``RetryRule/maximumRetryAfter``.
    case retryAfterTooLong
}
