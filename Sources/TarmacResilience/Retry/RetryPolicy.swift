import HTTPTypes
package import TarmacCore
import TarmacSupport

/// Decides whether a failed request is repeated, and after which pause (pure).
package struct RetryPolicy: Sendable {
    package let rule: RetryRule
    /// The codes of the envelope that may be repeated.
    package let retryableCodes: Set<Envelope.Code>

    package init(rule: RetryRule, retryableCodes: Set<Envelope.Code>) {
        self.rule = rule
        self.retryableCodes = retryableCodes
    }

    /// The events so far and the remaining limits.
    struct Situation {
        let request: Request
        let failure: TarmacError
        /// The number of attempts, from 1.
        let attempt: Int
        /// Whether the server may have acted on an earlier attempt.
        var hasArrived = false
        /// The number of responses that the request was for another server, including the last one.
        var misdirections = 0
        /// The `Retry-After` of the failure's response.
        let retryAfter: Duration?
        /// The time until the deadline.
        let remaining: Duration?
        /// From 0 up to 1, for the jitter.
        let chance: Double
    }

    enum Decision: Equatable {
        /// The failure is permanent.
        case fail
        /// The failure may be transient, and the request must not be sent again.
        case refuse(RetryRefusal)
        /// Send the request again after a pause, if the budget of the host allows it.
        case retry(after: Duration)
    }

    func decide(_ situation: Situation) -> Decision {
        guard isTransient(situation.failure) || isOwnConflict(situation) else { return .fail }
        if let refusal = refusal(situation.request, situation.failure) { return .refuse(refusal) }
        if situation.attempt >= rule.maxAttempts { return .refuse(.attemptsUsedUp) }
        // Neither a pause nor a third connection helps.
        if situation.failure.isMisdirected {
            return situation.misdirections > 1 ? .refuse(.attemptsUsedUp) : .retry(after: .zero)
        }
        let asked = situation.retryAfter ?? .zero
        if asked > rule.maximumRetryAfter { return .refuse(.retryAfterTooLong) }
        let pause = asked + longestPause(after: situation.attempt) * situation.chance
        if let remaining = situation.remaining, pause >= remaining { return .refuse(.pastDeadline) }
        return .retry(after: pause)
    }

    /// Returns the longest pause after an attempt, without the server's `Retry-After`.
    package func longestPause(after attempt: Int) -> Duration {
        rule.base.doubled(attempt - 1, atMost: rule.maximumDelay)
    }

    // MARK: Failures

    package func isTransient(_ failure: TarmacError) -> Bool {
        // Independent of the classifier, because the call is over.
        if Self.final.contains(failure.code) { return false }
        switch rule.classifier?(failure) ?? .standard {
        case .retry: return true
        case .fail: return false
        case .standard: break
        }
        if hasRetryableCode(failure) { return true }
        if let status = failure.rejectedStatus { return rule.statuses.contains(status) }
        // An open circuit, a rate limit and a failed refresh have waited or repeated by their own rules.
        return failure.code.isTransient && !failure.code.isHeldBack
    }

    private func hasRetryableCode(_ failure: TarmacError) -> Bool {
        (failure.code == .unacceptableStatus || failure.code == .envelopeFailure) && failure.hasCode(of: retryableCodes)
    }

    private func isOwnConflict(_ situation: Situation) -> Bool {
        situation.request.hasIdempotencyKey && situation.failure.isOwnConflict(hasArrived: situation.hasArrived)
            && rule.classifier?(situation.failure) != .fail
    }

    private static let final: Set<TarmacError.Code> = [.deadlineExceeded, .queueTimeout, .clientShutDown, .loggedOut]

    // MARK: Requests

    private func refusal(_ request: Request, _ failure: TarmacError) -> RetryRefusal? {
        if !request.body.isReplayable { return .notReplayable }
        return failure.reach != .mayHaveActed || request.isRepeatable || rule.allowsAnyMethod ? nil : .notIdempotent
    }
}

extension TarmacError {
    /// Whether the server does not serve the request's origin. Another connection may lead to one that does (RFC 9110
    /// §15.5.20).
    var isMisdirected: Bool { rejectedStatus == 421 }
}

extension Request {
    /// Whether sending the request twice has the effect of sending it once, by its method or by its `Idempotency-Key`.
    package var isRepeatable: Bool { isIdempotent || hasIdempotencyKey }
    fileprivate var hasIdempotencyKey: Bool { headers[.idempotencyKey]?.isEmpty == false }
}
