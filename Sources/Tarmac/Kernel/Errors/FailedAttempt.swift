public import HTTPTypes

/// One attempt of a call with a ``RetryRule`` that did not bring what was wanted.
public struct FailedAttempt: Sendable, CustomStringConvertible {
    /// Which of the call's requests it was, from 1.
    public let number: Int
    /// What went wrong.
    public let code: TarmacError.Code
    /// The answer's status, if the server answered.
    public let status: HTTPResponse.Status?
    /// How long the attempt took, waiting for a slot or a token included.
    public let duration: Duration

    /// Such as `1: unacceptableStatus 503 after 40 ms`.
    public var description: String { "\(number): \(code)\(status.map { " \($0.code)" } ?? "") after \(duration.shown)" }
}
