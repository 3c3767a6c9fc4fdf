import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore
import TarmacResilience
import TarmacResumableUpload
import TarmacTransfer

/// Decides about an entry after an attempt (pure).
struct OutboxPolicy {
    let rule: OutboxRule
    /// The codes in the envelope after which an entry is tried again.
    let retryableCodes: Set<Int>

    /// The known facts about the entry and its last attempt.
    struct Situation {
        /// The number of attempts, including this one.
        var attempts: Int
        /// The number of earlier attempts that may have reached the server.
        var arrivals: Int
        /// Whether the answer to an earlier attempt was lost, perhaps before the entry was resent.
        var isUnanswered = false
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
        guard mayPass(failure, arrivedBefore: situation.arrivals > 0 || situation.isUnanswered) else { return .bury(.refused, arrivals: arrivals) }
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

    private func mayPass(_ failure: TarmacError, arrivedBefore: Bool) -> Bool {
        if retry.isTransient(failure) { return true }
        if rule.classifier?(failure) == .fail { return false }
        // The first of two requests with one key may still be in progress.
        if failure.rejectedStatus == 409 { return arrivedBefore }
        return failure.code.isTransient || waits(after: failure) || isOutcomeUnknown(failure)
    }

    /// Whether the server's answer did not arrive as it was sent, or a gateway such as a captive portal has answered:
    /// the server may have acted or not. The key makes another attempt safe, and a dead letter could be a loss.
    private func isOutcomeUnknown(_ failure: TarmacError) -> Bool {
        if let status = failure.rejectedStatus {
            return (300..<400).contains(status) || Self.foreignStatuses.contains(status)
                || Self.portalStatuses.contains(status) && failure.response.map { OutboxAnswer.isPage($0.headers, $0.body) } == true
        }
        if Self.refusing.contains(failure.code) { return false }
        switch failure.code.category {
        case .decoding, .redirect: return true
        // A body that could not be read for sending is no answer.
        case .message: return Self.answering.contains(failure.phase)
        default: return false
        }
    }

    /// A proxy or a portal wants its own login (RFC 9110 §15.5.8, RFC 6585 §6).
    private static let foreignStatuses: Set<Int> = [407, 511]
    /// The statuses under which a portal or a company's filter shows a page. An API answers them in its own format.
    private static let portalStatuses: Set<Int> = [400, 401, 403, 404, 451]
    private static let answering: Set<TarmacError.Phase> = [.waiting, .receiving, .judging, .decoding]
    /// Answers that are understood, and refuse the request.
    private static let refusing: Set<TarmacError.Code> = [.uploadProtocolFailed, .unknownKey, .bodyNotReplayable]

    private func mayHaveArrived(_ failure: TarmacError) -> Bool {
        failure.reach != .notSent && failure.code != .refreshFailed && !waits(after: failure)
    }

    /// Whether the server may have acted on the request, and its answer is not known.
    func losesAnswer(_ failure: TarmacError) -> Bool {
        // A gateway answers so if the answer of the server behind it is lost.
        if let status = failure.rejectedStatus { return status == 502 || status == 504 }
        switch failure.code.category {
        case .connection, .timeout: return failure.reach == .mayHaveActed
        case .message: return Self.answering.contains(failure.phase) && !Self.refusing.contains(failure.code)
        // Another type is that of a portal's page.
        case .decoding: return failure.code != .unacceptableContentType
        default: return false
        }
    }

    private static let untried: Set<TarmacError.Code> = [.clientShutDown, .environmentLeft]

    /// Whether a failure that ends a call is temporary for an entry, which can wait for a login, a store, a ledger, a
    /// certificate or a setting.
    private func waits(after failure: TarmacError) -> Bool { failure.code.category == .tls || Self.waiting.contains(failure.code) }

    private static let waiting: Set<TarmacError.Code> = [.loggedOut, .tokenStoreFailed, .storeFailed, .missingHost, .insecureHTTP]
}

extension TarmacError.Code {
    /// The error of an entry whose environment the client has left; the entry waits for it. This code never leaves the
    /// outbox.
    static let environmentLeft = Self("environmentLeft", .application, .unsent, .lasting)
}
