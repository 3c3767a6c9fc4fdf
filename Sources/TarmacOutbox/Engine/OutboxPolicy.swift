import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore
import TarmacResilience
import TarmacSupport
import TarmacTransfer

/// Decides about an entry after an attempt (pure).
struct OutboxPolicy {
    let rule: OutboxRule
    /// The codes in the envelope after which an entry is tried again.
    let retryableCodes: Set<Envelope.Code>

    /// The known facts about the entry and its last attempt.
    struct Situation {
        /// The number of attempts, including this one.
        var attempts: Int
        /// The number of earlier attempts that may have reached the server.
        var arrivals: Int
        /// Whether the answer to an earlier attempt was lost, perhaps before the entry was resent.
        var isUnanswered = false
        /// The number of conflicts, including that of this attempt.
        var conflicts = 0
        /// The failure of this attempt; `nil` for an acceptable response.
        var failure: TarmacError?
        /// The pause that the server asked for in its response.
        var retryAfter: Duration?
        var now: Date
        var expires: Date?
        /// From 0 to 1, for the jitter.
        var chance: Double
    }

    enum Decision: Equatable {
        case sent
        /// Try again, and not before `notBefore`, which the server asked for.
        case postpone(until: Date, notBefore: Date?, arrivals: Int)
        case bury(OutboxFailure.Kind, arrivals: Int)
        /// Nothing was tried: the client is shut down, or has left the environment.
        case release
    }

    /// Whether an entry has expired.
    func isExpired(_ expires: Date?, now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    func decide(_ situation: Situation) -> Decision {
        guard let failure = situation.failure else { return .sent }
        if Self.untried.contains(failure.code) { return .release }
        if failure.code == .otherLogin { return .bury(.otherLogin, arrivals: situation.arrivals) }
        let arrivals = situation.arrivals + (mayHaveArrived(failure) ? 1 : 0)
        let mayConflict = (situation.arrivals > 0 || situation.isUnanswered) && situation.conflicts <= StoredCallFailure.mostConflicts
        guard mayPass(failure, mayConflict: mayConflict) else { return .bury(.refused, arrivals: arrivals) }
        if let maximum = rule.maximumAttempts, arrivals >= maximum { return .bury(.attemptsUsedUp, arrivals: arrivals) }
        let asked = situation.retryAfter.map { min($0, rule.maximumRetryAfter) }
        let pause = (asked ?? .zero) + longestPause(after: situation.attempts) * situation.chance
        // Not later than its expiry, so that it is buried in time.
        let until = min(situation.now + pause / .seconds(1), situation.expires ?? .distantFuture)
        return .postpone(until: until, notBefore: asked.map { situation.now + $0 / .seconds(1) }, arrivals: arrivals)
    }

    /// Returns the longest pause after an attempt, without the pause that the server asked for.
    func longestPause(after attempts: Int) -> Duration { retry.longestPause(after: attempts) }

    /// The same rules as for retries within a call, without their limit on attempts.
    private var retry: RetryPolicy {
        let rule = RetryRule.exponential(maxAttempts: 2, base: self.rule.base) {
            $0.maximumDelay = self.rule.maximumDelay
            $0.statuses = self.rule.statuses
            $0.classifier = self.rule.classifier
        }
        return RetryPolicy(rule: rule, retryableCodes: retryableCodes)
    }

    private func mayPass(_ failure: TarmacError, mayConflict: Bool) -> Bool {
        if retry.isTransient(failure) { return true }
        if rule.classifier?(failure) == .fail { return false }
        if failure.rejectedStatus == 409 { return failure.isOwnConflict(hasArrived: mayConflict) }
        return failure.code.isTransient || StoredCallFailure.waits(after: failure) || StoredCallFailure.isOutcomeUnknown(failure)
    }

    private func mayHaveArrived(_ failure: TarmacError) -> Bool {
        failure.reach != .notSent && failure.code != .refreshFailed && !StoredCallFailure.waits(after: failure)
    }

    /// Whether the server may have acted on the request, and its answer is not known.
    func losesAnswer(_ failure: TarmacError) -> Bool {
        // A gateway answers so if the answer of the server behind it is lost.
        if let status = failure.rejectedStatus { return status == 502 || status == 504 }
        switch failure.code.category {
        case .connection, .timeout: return failure.reach == .mayHaveActed
        case .message: return StoredCallFailure.answering.contains(failure.phase) && !StoredCallFailure.refusing.contains(failure.code)
        // Another type is that of a portal's page.
        case .decoding: return failure.code != .unacceptableContentType
        default: return false
        }
    }

    /// The client is shut down, or the entry waits for its environment.
    private static let untried: Set<TarmacError.Code> = [.clientShutDown, .environmentLeft]
}
