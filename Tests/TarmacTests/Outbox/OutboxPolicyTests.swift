#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
@testable import TarmacResilience
import TarmacResumableUpload
import TarmacTraffic

/// What an attempt means for an entry. Field §3 wish 11: outboxes written by hand lose what comes at a bad moment, or send it
/// for ever.
@Suite struct OutboxPolicyTests {
    private let now = Date(timeIntervalSince1970: 1_000_000_000)

    private func situation(
        _ failure: TarmacError?, attempts: Int = 1, arrivals: Int = 0, retryAfter: Duration? = nil, expires: Double? = nil, chance: Double = 0.5
    ) -> OutboxPolicy.Situation {
        OutboxPolicy.Situation(
            attempts: attempts, arrivals: arrivals, failure: failure, retryAfter: retryAfter, now: now, expires: expires.map { now + $0 }, chance: chance)
    }

    private func status(_ code: Int) -> TarmacError {
        TarmacError(.unacceptableStatus, phase: .judging, "\(code)").with(
            response: ResponseSnapshot(status: HTTPResponse.Status(code: code), headers: [:], body: .empty))
    }

    private func decide(
        _ situation: OutboxPolicy.Situation, codes: Set<Envelope.Code> = [], _ configure: (inout OutboxRule) -> Void = { _ in }
    ) -> OutboxPolicy.Decision {
        OutboxPolicy(rule: OutboxRule(configure), retryableCodes: codes).decide(situation)
    }

    private func isPostponed(_ decision: OutboxPolicy.Decision) -> Bool { if case .postpone = decision { true } else { false } }

    @Test func acceptableAnswerIsTheEnd() { #expect(decide(situation(nil)) == .sent) }

    @Test(arguments: [408, 421, 425, 429, 500, 502, 503, 504])
    func passingStatusIsTriedAgain(code: Int) { #expect(isPostponed(decide(situation(status(code))))) }

    @Test(arguments: [400, 401, 403, 404, 405, 410, 413, 415, 422, 501])
    func refusalIsFinal(code: Int) { #expect(decide(situation(status(code))) == .bury(.refused, arrivals: 1)) }

    /// draft-ietf-httpapi-idempotency-key-header §2.7: the first request under the key may still be at work.
    @Test func conflictMayPassOnlyBehindAnEarlierArrival() {
        #expect(decide(situation(status(409))) == .bury(.refused, arrivals: 1))
        #expect(isPostponed(decide(situation(status(409), attempts: 2, arrivals: 1))))
        var resent = situation(status(409))
        resent.isUnanswered = true
        #expect(isPostponed(decide(resent)))
    }

    @Test func conflictsPassForAWhile() {
        func decision(_ conflicts: Int) -> OutboxPolicy.Decision {
            var later = situation(status(409), attempts: 30, arrivals: 20)
            later.conflicts = conflicts
            return decide(later)
        }
        #expect(isPostponed(decision(10)))
        #expect(decision(11) == .bury(.refused, arrivals: 21))
    }

    @Test func loginsEndPausesThreeTimesAMinute() {
        var pace = LoginPace()
        let start = ManualTime().moment
        for second in 0..<3 { #expect(pace.delay(at: start + .seconds(second)) == nil) }
        #expect(pace.delay(at: start + .seconds(3)) == start + .seconds(60))
        #expect(pace.delay(at: start + .seconds(60)) == start + .seconds(61))
        #expect(pace.delay(at: start + .seconds(300)) == nil)
    }

    @Test func anAnswerIsLostIfTheServerMayHaveActedAndDidNotAnswer() {
        let policy = OutboxPolicy(rule: OutboxRule(), retryableCodes: [])
        for code in [502, 504] { #expect(policy.losesAnswer(status(code)), "\(code)") }
        for code in [302, 401, 403, 404, 408, 409, 429, 500, 503, 511] { #expect(!policy.losesAnswer(status(code)), "\(code)") }
        let lost: [TarmacError.Code] = [.connectionLost, .timeout, .idleTimeout, .truncatedBody, .malformedResponse, .malformedJSON, .transportFailed]
        for code in lost { #expect(policy.losesAnswer(TarmacError(code, phase: .receiving)), "\(code)") }
        let known: [TarmacError.Code] = [
            .unacceptableContentType, .redirectRefused, .envelopeFailure, .requestUnprocessed, .uploadProtocolFailed, .loggedOut, .rateLimited,
        ]
        for code in known { #expect(!policy.losesAnswer(TarmacError(code, phase: .queued)), "\(code)") }
        #expect(!policy.losesAnswer(TarmacError(.connectionFailed, phase: .connecting)))
        #expect(!policy.losesAnswer(TarmacError(.decryptionFailed, phase: .sending)))
    }

    @Test(arguments: [
        (TarmacError.Code.cannotFindHost, TarmacError.Phase.connecting, 0), (.connectionRefused, .connecting, 0), (.connectTimeout, .connecting, 0),
        (.connectionFailed, .connecting, 0), (.connectionFailed, .sending, 1), (.connectionLost, .receiving, 1), (.timeout, .receiving, 1),
        (.truncatedBody, .receiving, 1), (.transportFailed, .receiving, 1), (.requestUnprocessed, .waiting, 1),
        (.circuitOpen, .queued, 0), (.rateLimited, .queued, 0), (.queueTimeout, .queued, 0), (.deadlineExceeded, .queued, 1),
        (.loggedOut, .authenticating, 0), (.refreshFailed, .authenticating, 0), (.untrustedCertificate, .connecting, 0),
        (.clientCertificateRequired, .connecting, 0), (.missingHost, .building, 0),
    ])
    func failureThatPassesCountsOnlyIfItMayHaveArrived(code: TarmacError.Code, phase: TarmacError.Phase, arrivals: Int) {
        guard case .postpone(_, _, let counted) = decide(situation(TarmacError(code, phase: phase))) else {
            return #expect(Bool(false), "\(code) is not tried again")
        }
        #expect(counted == arrivals)
    }

    @Test func clientThatIsGoneTriesNothing() {
        #expect(decide(situation(TarmacError(.clientShutDown))) == .release)
        #expect(decide(situation(TarmacError(.environmentLeft))) == .release)
    }

    @Test func anothersLoginIsFinalAndWasNoAttempt() {
        #expect(decide(situation(TarmacError(.otherLogin), arrivals: 1)) == .bury(.otherLogin, arrivals: 1))
        #expect(decide(situation(TarmacError(.otherLogin))) { $0.classifier = { _ in .retry } } == .bury(.otherLogin, arrivals: 0))
    }

    @Test func arrivalsAreUsedUpAndFailuresWithoutOneAreNot() {
        #expect(decide(situation(status(503), attempts: 3, arrivals: 2)) { $0.maximumAttempts = 3 } == .bury(.attemptsUsedUp, arrivals: 3))
        #expect(isPostponed(decide(situation(TarmacError(.connectionRefused), attempts: 900, arrivals: 2)) { $0.maximumAttempts = 3 }))
        #expect(isPostponed(decide(situation(status(503), attempts: 900, arrivals: 900)) { $0.maximumAttempts = nil }))
    }

    @Test(arguments: [(1, 0.5), (2, 1.0), (3, 2.0), (9, 128.0), (10, 150.0), (1_000_000, 150.0)])
    func pauseDoublesUpToItsLongestAndIsChosenBelowIt(attempts: Int, seconds: Double) {
        #expect(decide(situation(status(503), attempts: attempts)) == .postpone(until: now + seconds, notBefore: nil, arrivals: 1))
        #expect(decide(situation(status(503), attempts: attempts, chance: 0)) == .postpone(until: now, notBefore: nil, arrivals: 1))
    }

    @Test func serversPauseIsAddedAndBounded() {
        #expect(decide(situation(status(503), retryAfter: .seconds(20))) == .postpone(until: now + 20.5, notBefore: now + 20, arrivals: 1))
        let decision = decide(situation(status(503), retryAfter: .seconds(9_999_999))) { $0.maximumRetryAfter = .seconds(100) }
        #expect(decision == .postpone(until: now + 100.5, notBefore: now + 100, arrivals: 1))
    }

    @Test func pauseEndsWithTheExpiry() {
        #expect(decide(situation(status(503), retryAfter: .seconds(20), expires: 3)) == .postpone(until: now + 3, notBefore: now + 20, arrivals: 1))
        let policy = OutboxPolicy(rule: OutboxRule(), retryableCodes: [])
        #expect(policy.isExpired(now, now: now))
        #expect(!policy.isExpired(now + 0.1, now: now))
        #expect(!policy.isExpired(nil, now: now))
    }

    @Test func classifierComesFirst() {
        #expect(isPostponed(decide(situation(status(422))) { $0.classifier = { _ in .retry } }))
        #expect(decide(situation(status(503))) { $0.classifier = { _ in .fail } } == .bury(.refused, arrivals: 1))
        #expect(decide(situation(TarmacError(.loggedOut))) { $0.classifier = { _ in .fail } } == .bury(.refused, arrivals: 0))
    }

    @Test func envelopesCodesSayWhatMayPass() {
        let failure = TarmacError(.envelopeFailure, phase: .judging, "").with(serverCode: "50003", message: nil)
        #expect(decide(situation(failure)) == .bury(.refused, arrivals: 1))
        #expect(isPostponed(decide(situation(failure), codes: [50_003])))
        let busy = TarmacError(.envelopeFailure, phase: .judging, "").with(serverCode: "BUSY", message: nil)
        #expect(isPostponed(decide(situation(busy), codes: ["BUSY"])))
    }

    @Test(
        arguments: [
            { $0.lanesAtOnce = 0 }, { $0.lanesAtOnce = 65 }, { $0.maximumAttempts = 0 }, { $0.base = .seconds(-1) }, { $0.lease = .zero },
            { $0.lease = .seconds(601) }, { $0.checkInterval = .zero }, { $0.maximumEntries = 0 }, { $0.attemptTime = .seconds(0) },
        ] as [@Sendable (inout OutboxRule) -> Void])
    func ruleThatCannotBeUsedIsRefused(configure: @Sendable (inout OutboxRule) -> Void) {
        #expect(OutboxRule(configure).fault != nil)
        #expect(OutboxRule().fault == nil)
    }
}
