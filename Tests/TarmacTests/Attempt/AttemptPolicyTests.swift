import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

@Suite("Time limits of an attempt")
struct AttemptPolicyTests {
    private static let start = Moment.now

    private func policy(deadline: Duration? = nil) -> AttemptPolicy {
        AttemptPolicy(
            timeout: .seconds(60), connectEnd: Self.start + .seconds(10), idle: .seconds(20),
            deadline: deadline.map { Self.start + $0 })
    }

    private func decide(
        _ policy: AttemptPolicy, at seconds: Int, _ phase: TarmacError.Phase, lastActivity: Int = 0, isAwaited: Bool = true,
        isTimed: Bool = true, sentAt: Int = 0, restartsTimeout: Bool = false
    ) -> AttemptPolicy.Decision {
        policy.decide(
            .init(
                now: Self.start + .seconds(seconds), phase: phase, lastActivity: Self.start + .seconds(lastActivity), isAwaited: isAwaited,
                timedSince: isTimed ? Self.start + .seconds(sentAt) : nil, restartsTimeout: restartsTimeout))
    }

    @Test func connectingEndsWithItsOwnLimit() {
        #expect(decide(policy(), at: 10, .connecting) == .expire(.connectTimeout))
        #expect(decide(policy(), at: 9, .connecting) == .wait(until: Self.start + .seconds(10)))
    }

    @Test func aConnectionThatIsThereEndsTheConnectLimit() {
        #expect(decide(policy(), at: 45, .waiting) == .wait(until: Self.start + .seconds(60)))
    }

    @Test(arguments: [TarmacError.Phase.sending, .waiting])
    func whatHasNotBegunIsLookedAtAgainForItsGaps(phase: TarmacError.Phase) {
        let policy = AttemptPolicy(timeout: nil, connectEnd: Self.start + .seconds(10), idle: .seconds(20), deadline: nil)
        for now in [10, 40, 4000] { #expect(decide(policy, at: now, phase) == .wait(until: Self.start + .seconds(now + 20))) }
        #expect(decide(self.policy(), at: 11, phase) == .wait(until: Self.start + .seconds(31)))
    }

    @Test func aBufferedBodyIsWithinTheTimeout() {
        #expect(decide(policy(), at: 60, .receiving, lastActivity: 59) == .expire(.timeout))
    }

    @Test func aBodyHandedOnIsNotWithinTheTimeout() {
        #expect(decide(policy(), at: 600, .receiving, lastActivity: 599, isTimed: false) == .wait(until: Self.start + .seconds(619)))
    }

    @Test func aGapBetweenBytesEndsTheAttempt() {
        #expect(decide(policy(), at: 40, .receiving, lastActivity: 20) == .expire(.idleTimeout))
    }

    @Test func aReaderThatTakesItsTimeIsNotAGap() {
        let decision = decide(policy(), at: 40, .receiving, lastActivity: 20, isAwaited: false, isTimed: false)
        #expect(decision == .wait(until: Self.start + .seconds(60)))
    }

    @Test func anUploadMayTakeAsLongAsItComesOn() {
        #expect(decide(policy(), at: 4000, .sending, lastActivity: 3999, sentAt: 3999, restartsTimeout: true) == .wait(until: Self.start + .seconds(4019)))
        // All of it has left: now the server has its time.
        #expect(decide(policy(), at: 4058, .waiting, lastActivity: 3999, sentAt: 3999, restartsTimeout: true) == .wait(until: Self.start + .seconds(4059)))
        #expect(decide(policy(), at: 4059, .waiting, lastActivity: 3999, sentAt: 3999, restartsTimeout: true) == .expire(.timeout))
    }

    @Test func anUploadThatStallsIsEnded() {
        #expect(decide(policy(), at: 120, .sending, lastActivity: 100, sentAt: 100, restartsTimeout: true) == .expire(.idleTimeout))
        let unlimited = AttemptPolicy(timeout: .seconds(60), connectEnd: nil, idle: nil, deadline: nil)
        #expect(decide(unlimited, at: 160, .sending, lastActivity: 100, sentAt: 100, restartsTimeout: true) == .expire(.timeout))
    }

    @Test func theDeadlineEndsEveryPhase() {
        for phase in [TarmacError.Phase.connecting, .sending, .waiting, .receiving] {
            #expect(decide(policy(deadline: .seconds(5)), at: 5, phase, lastActivity: 5) == .expire(.deadlineExceeded))
        }
    }

    @Test func theLimitThatPassedFirstIsNamed() {
        #expect(decide(policy(deadline: .seconds(61)), at: 100, .waiting) == .expire(.timeout))
    }
}
