import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore
import TarmacResilience

/// Decides about an entry after an attempt (pure).
struct OutboxPolicy {
    let rule: OutboxRule
    /// Codes of the envelope that may be tried again.
    let retryableCodes: Set<Int>

    /// What is known of the entry and its last attempt.
    struct Situation {
        /// How often it was tried, this attempt included.
        var attempts: Int
        /// How many of the attempts before may have reached the server.
        var arrivals: Int
        /// What this one failed with; `nil` for an acceptable answer.
        var failure: TarmacError?
        /// The server's wish, read from the answer.
        var retryAfter: Duration?
        var now: Date
        var expires: Date?
        /// From 0 up to 1, for the jitter.
        var chance: Double
    }

    enum Decision: Equatable {
        case sent
        /// Try again; nothing before `notBefore`, which the server asked for.
        case postpone(until: Date, notBefore: Date?, arrivals: Int)
        case bury(OutboxFailure.Kind, arrivals: Int)
        /// Nothing was tried: the client is shut down, or has left the environment.
        case release
    }

    /// Whether an entry is too old to be sent at all.
    func isExpired(_ expires: Date?, now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    func decide(_ situation: Situation) -> Decision {
        guard let failure = situation.failure else { return .sent }
        if Self.untried.contains(failure.code) { return .release }
        if failure.code == .otherLogin { return .bury(.otherLogin, arrivals: situation.arrivals) }
        let arrivals = situation.arrivals + (mayHaveArrived(failure) ? 1 : 0)
        guard mayPass(failure, arrivedBefore: situation.arrivals > 0) else { return .bury(.refused, arrivals: arrivals) }
        if let maximum = rule.maximumAttempts, arrivals >= maximum { return .bury(.attemptsUsedUp, arrivals: arrivals) }
        let asked = situation.retryAfter.map { min($0, rule.maximumRetryAfter) }
        let pause = (asked ?? .zero) + longestPause(after: situation.attempts) * situation.chance
        // No later than its expiry, so that it is buried in time.
        let until = min(situation.now + pause / .seconds(1), situation.expires ?? .distantFuture)
        return .postpone(until: until, notBefore: asked.map { situation.now + $0 / .seconds(1) }, arrivals: arrivals)
    }

    /// The most the pause after an attempt can last, the server's wish apart.
    func longestPause(after attempts: Int) -> Duration { retry.longestPause(after: attempts) }

    /// The same rules as those of repeats within a call, without their limits on how often.
    private var retry: RetryPolicy {
        let rule = RetryRule.exponential(maxAttempts: 2, base: self.rule.base) {
            $0.maximumDelay = self.rule.maximumDelay
            $0.statuses = self.rule.statuses
            $0.classifier = self.rule.classifier
        }
        return RetryPolicy(rule: rule, retryableCodes: retryableCodes)
    }

    private func mayPass(_ failure: TarmacError, arrivedBefore: Bool) -> Bool {
        if retry.isTransient(failure) { return true }
        if rule.classifier?(failure) == .fail { return false }
        // The first of two requests with one key may still be at work.
        if failure.rejectedStatus == 409 { return arrivedBefore }
        return failure.code.isTransient || Self.waiting.contains(failure.code)
    }

    private func mayHaveArrived(_ failure: TarmacError) -> Bool {
        failure.reach != .notSent && failure.code != .refreshFailed && !Self.waiting.contains(failure.code)
    }

    private static let untried: Set<TarmacError.Code> = [.clientShutDown, .environmentLeft]

    /// Failures that end a call and pass for an entry, which can wait for a login, a store, a certificate or a setting.
    private static let waiting: Set<TarmacError.Code> = [
        .loggedOut, .tokenStoreFailed, .storeFailed, .tlsHandshakeFailed, .untrustedCertificate, .selfSignedCertificate, .expiredCertificate,
        .notYetValidCertificate, .hostnameMismatch, .pinMismatch, .missingHost, .insecureHTTP,
    ]
}

extension TarmacError.Code {
    /// The client has left the environment of an entry, which waits for the client to return. This code never leaves the outbox.
    static let environmentLeft = Self("environmentLeft", .application, .unsent, .lasting)
}
