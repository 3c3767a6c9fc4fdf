import HTTPTypes

/// Decides whether a transfer that broke off goes on, and after how long (pure).
struct InterruptionPolicy {
    let rule: ResumeRule
    /// The longest wish of a server's that is waited for; what asks for more ends the transfer.
    var maximumRetryAfter: Duration = .seconds(60)

    enum Decision: Equatable {
        case fail
        case resume(after: Duration)
    }

    /// - Parameters:
    ///   - barren: how many interruptions in a row before this one brought no new byte; 0 after progress.
    ///   - chance: from 0 up to 1, for the jitter.
    ///   - retryAfter: how long the answer asks to be left alone.
    ///   - remaining: what is left of the deadline.
    func decide(
        _ failure: TarmacError, barren: Int, chance: Double, isTransient: Bool? = nil, retryAfter: Duration? = nil, remaining: Duration? = nil
    ) -> Decision {
        guard isTransient ?? Self.isTransient(failure), barren <= rule.maxBarrenAttempts else { return .fail }
        // After progress there is no reason to wait but the server's.
        let own = barren == 0 ? .zero : min(rule.base * (1 << min(barren - 1, 30)), rule.maximumDelay) * (0.5 + chance / 2)
        let wish = max(retryAfter ?? .zero, .zero), pause = wish + own
        // Who cannot go on before the deadline says at once why, instead of waiting for it.
        if wish > maximumRetryAfter || pause > .zero && remaining.map({ pause >= $0 }) == true { return .fail }
        return .resume(after: pause)
    }

    private static func isTransient(_ failure: TarmacError) -> Bool {
        if failure.code == .unacceptableStatus { return failure.status.map { [408, 429, 500, 502, 503, 504].contains($0.code) } ?? false }
        return RetryPolicy.transient.contains(failure.code) || failure.code == .transportFailed
    }
}
