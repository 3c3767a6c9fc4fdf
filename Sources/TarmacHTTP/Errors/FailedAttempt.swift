public import HTTPTypes

/// A failed attempt of a call that is repeated after failures, as `Options.retry` does.
public struct FailedAttempt: Sendable, CustomStringConvertible {
    /// The number of the request within the call, from 1.
    public let number: Int
    /// The code of the failure.
    public let code: TarmacError.Code
    /// The status of the response, if there was one.
    public let status: HTTPResponse.Status?
    /// The duration of the attempt, including waits for a slot or a token.
    public let duration: Duration

    package init(number: Int, code: TarmacError.Code, status: HTTPResponse.Status?, duration: Duration) {
        (self.number, self.code, self.status, self.duration) = (number, code, status, duration)
    }

    /// The attempt in one line, such as `1: unacceptableStatus 503 after 40 ms`.
    public var description: String { "\(number): \(code)\(status.map { " \($0.code)" } ?? "") after \(duration.shown)" }
}
