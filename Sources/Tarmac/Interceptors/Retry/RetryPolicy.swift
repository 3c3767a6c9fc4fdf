import HTTPTypes

/// Decides whether what failed is tried again, and after how long (pure).
struct RetryPolicy: Sendable {
    let rule: RetryRule
    /// Codes of the envelope that may be tried again.
    let retryableCodes: Set<Int>

    /// What has happened, and what there is left.
    struct Situation {
        let request: Request
        let failure: TarmacError
        /// How many attempts the call has made, from 1.
        let attempt: Int
        /// How many of them were answered that the request was not for that server, the last one included.
        var misdirections = 0
        /// The server's own wish, read from the failure's answer.
        let retryAfter: Duration?
        /// What is left of the deadline.
        let remaining: Duration?
        /// From 0 up to 1, for the jitter.
        let chance: Double
    }

    enum Decision: Equatable {
        /// Not a failure that time heals.
        case fail
        /// One that might be, but must not be tried again.
        case refuse(RetryRefusal)
        /// Try again after a pause; what it costs is yet to be taken from the host's budget.
        case retry(after: Duration)
    }

    func decide(_ situation: Situation) -> Decision {
        guard isTransient(situation.failure) else { return .fail }
        if let refusal = refusal(situation.request, situation.failure) { return .refuse(refusal) }
        if situation.attempt >= rule.maxAttempts { return .refuse(.attemptsUsedUp) }
        // Nothing is gained by a pause, nor by a third connection.
        if situation.failure.isMisdirected {
            return situation.misdirections > 1 ? .refuse(.attemptsUsedUp) : .retry(after: .zero)
        }
        let asked = situation.retryAfter ?? .zero
        if asked > rule.maximumRetryAfter { return .refuse(.retryAfterTooLong) }
        let pause = asked + longestPause(after: situation.attempt) * situation.chance
        if let remaining = situation.remaining, pause >= remaining { return .refuse(.pastDeadline) }
        return .retry(after: pause)
    }

    /// The most the pause after an attempt can last, the server's wish apart.
    func longestPause(after attempt: Int) -> Duration {
        // Beyond 2^30 of anything above nothing every pause is past its maximum.
        min(rule.base * (1 << min(max(attempt - 1, 0), 30)), rule.maximumDelay)
    }

    // MARK: What kind of failure

    func isTransient(_ failure: TarmacError) -> Bool {
        // Not the classifier's to say: the call is over.
        if Self.final.contains(failure.code) { return false }
        switch rule.classifier?(failure) ?? .standard {
        case .retry: return true
        case .fail: return false
        case .standard: break
        }
        switch failure.code {
        case .unacceptableStatus: return failure.status.map { rule.statuses.contains($0.code) } ?? false || hasRetryableCode(failure)
        case .envelopeFailure: return hasRetryableCode(failure)
        default: return Self.transient.contains(failure.code)
        }
    }

    private func hasRetryableCode(_ failure: TarmacError) -> Bool {
        guard !retryableCodes.isEmpty, let code = failure.serverCode.flatMap({ Int($0) }) else { return false }
        return retryableCodes.contains(code)
    }

    private static let final: Set<TarmacError.Code> = [.deadlineExceeded, .queueTimeout, .clientShutDown, .loggedOut]

    static let transient: Set<TarmacError.Code> = [
        .cannotFindHost, .connectionRefused, .connectTimeout, .connectionFailed, .connectionLost, .requestUnprocessed, .proxyFailed, .timeout, .idleTimeout,
        .truncatedBody, .malformedResponse,
    ]

    // MARK: What kind of request

    private func refusal(_ request: Request, _ failure: TarmacError) -> RetryRefusal? {
        if !request.body.isReplayable { return .notReplayable }
        return wasNotProcessed(failure) || request.isRepeatable || rule.allowsAnyMethod ? nil : .notIdempotent
    }

    /// Whether the server cannot have acted on the request: it has seen nothing of it, or says so (RFC 9113 §8.7; RFC 9110
    /// §15.5.20: a misdirected request went to the wrong server).
    private func wasNotProcessed(_ failure: TarmacError) -> Bool {
        switch failure.code {
        case .cannotFindHost, .connectionRefused, .connectTimeout, .requestUnprocessed: true
        case .unacceptableStatus: failure.isMisdirected
        case .connectionFailed, .proxyFailed: failure.phase == .connecting
        default: false
        }
    }
}

extension TarmacError {
    /// The server is none for this request, and has not acted on it: another connection may lead to the right one (RFC 9110
    /// §15.5.20).
    var isMisdirected: Bool { code == .unacceptableStatus && status == .misdirectedRequest }
}

extension Request {
    /// Whether the effect of twice is that of once: by its method, or by a key the server knows it by.
    var isRepeatable: Bool { isIdempotent || headers[.idempotencyKey]?.isEmpty == false }
}

extension HTTPField.Name {
    /// draft-ietf-httpapi-idempotency-key-header.
    static let idempotencyKey: HTTPField.Name = {
        guard let name = HTTPField.Name("Idempotency-Key") else { preconditionFailure("Idempotency-Key is a token") }
        return name
    }()
}
