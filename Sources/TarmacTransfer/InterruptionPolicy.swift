import TarmacCore
import TarmacSupport

/// Decides whether an interrupted transfer resumes, and after how long (pure).
struct InterruptionPolicy {
    let rule: ResumeRule
    /// The longest `Retry-After` that the transfer waits for. A longer one ends it.
    var maximumRetryAfter: Duration = .seconds(60)

    enum Decision: Equatable {
        case fail
        case resume(after: Duration)
    }

    /// - Parameters:
    ///   - barren: The number of interruptions in a row before this one without a new byte. 0 after progress.
    ///   - chance: From 0 to 1, for the jitter.
    ///   - isTransient: Whether the failure is temporary, if the protocol of the transfer decides that.
    ///   - retryAfter: The `Retry-After` of the response.
    ///   - remaining: The time left until the deadline.
    func decide(
        _ failure: TarmacError, barren: Int, chance: Double, isTransient: Bool? = nil, retryAfter: Duration? = nil, remaining: Duration? = nil
    ) -> Decision {
        // A circuit, a rate limit or a refresh may pass while the transfer pauses; the call's own time does not come back.
        guard isTransient ?? (failure.isTransient && !failure.isOutOfTime), barren <= rule.maxBarrenAttempts else { return .fail }
        // After progress there is no reason to wait but the server's.
        let own = barren == 0 ? .zero : rule.base.doubled(barren - 1, atMost: rule.maximumDelay) * (0.5 + chance / 2)
        let wish = max(retryAfter ?? .zero, .zero), pause = wish + own
        // A transfer that cannot resume before the deadline fails now, with its own failure.
        if wish > maximumRetryAfter || pause > .zero && remaining.map({ pause >= $0 }) == true { return .fail }
        return .resume(after: pause)
    }
}
