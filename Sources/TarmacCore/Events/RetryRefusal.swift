/// Why a failure that might have been tried again was not.
public enum RetryRefusal: String, Sendable, CaseIterable {
    /// The rule's attempts are used up.
    case attemptsUsedUp
    /// The request is not idempotent, has no `Idempotency-Key`, and the server may have acted on it.
    case notIdempotent
    /// The body can be read only once, or a part of the response is in a file already.
    case notReplayable
    /// The host has had its share of repeats (``RetryRule/Budget``).
    case budgetSpent
    /// The pause would last beyond the call's deadline.
    case pastDeadline
    /// The server asks for a longer pause than ``RetryRule/maximumRetryAfter``.
    case retryAfterTooLong
}
