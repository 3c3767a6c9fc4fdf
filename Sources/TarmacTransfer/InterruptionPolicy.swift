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

    /// Returns the number of requests that may end before their content does, without a pause. A server that sends a
    /// few bytes with each would be asked without end.
    static func allowance(for newBytes: Int64) -> Int { Int(clamping: 50 + max(0, newBytes) / (64 << 10)) }

    static let maximumExcess = 50

    /// - Parameters:
    ///   - barren: The number of interruptions in a row before this one without a new byte. 0 after progress.
    ///   - excess: The number of requests beyond those that the new bytes allow; see ``allowance(for:)``.
    ///   - chance: From 0 to 1, for the jitter.
    ///   - isTransient: Whether the failure is temporary, if the protocol of the transfer decides that.
    ///   - retryAfter: The `Retry-After` of the response.
    ///   - remaining: The time left until the deadline.
    func decide(
        _ failure: TarmacError, barren: Int, excess: Int = 0, chance: Double, isTransient: Bool? = nil, retryAfter: Duration? = nil, remaining: Duration? = nil
    ) -> Decision {
        // A circuit, a rate limit or a refresh may pass while the transfer pauses; the call's own time does not come back.
        guard isTransient ?? (failure.isTransient && !failure.isOutOfTime), barren <= rule.maxBarrenAttempts, excess <= Self.maximumExcess
        else { return .fail }
        // After progress there is no reason to wait but the server's.
        let steps = max(barren, excess)
        let own = steps == 0 ? .zero : rule.base.doubled(steps - 1, atMost: rule.maximumDelay) * (0.5 + chance / 2)
        let wish = max(retryAfter ?? .zero, .zero), pause = wish + own
        // A transfer that cannot resume before the deadline fails now, with its own failure.
        if wish > maximumRetryAfter || pause > .zero && remaining.map({ pause >= $0 }) == true { return .fail }
        return .resume(after: pause)
    }
}
