#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Testing

import Tarmac
@testable import TarmacOutbox

/// Pauses that are longer than any possible one: the clock was ahead when they were set.
@Suite struct OutboxLeaseTests {
    private let now = Date(timeIntervalSince1970: 1_000_000_000)

    struct Row: Sendable {
        var nextAttempt: Double
        var notBefore: Double?
        /// The seconds until the entry is due; `nil` if it is.
        var wait: Double?
    }

    private func verdict(_ row: Row, longestDelay: Duration?) -> OutboxLease.Verdict {
        var lease = OutboxLease(owner: "a", environment: "production", now: now, until: now + 60, count: 1, longestPause: .seconds(86_700))
        lease.longestDelay = longestDelay
        return lease.verdict(
            on: .waiting, expires: nil, nextAttempt: now + row.nextAttempt, notBefore: row.notBefore.map { now + $0 }, leasedUntil: nil)
    }

    private func expected(_ row: Row) -> OutboxLease.Verdict { row.wait.map { .wait(until: now + $0) } ?? .take }

    @Test(arguments: [
        Row(nextAttempt: 300, wait: 300), Row(nextAttempt: 301), Row(nextAttempt: 72_000), Row(nextAttempt: 0),
        Row(nextAttempt: 3_700, notBefore: 3_600, wait: 3_600), Row(nextAttempt: 86_700, notBefore: 86_400, wait: 86_400),
        Row(nextAttempt: 299, notBefore: -1, wait: 299), Row(nextAttempt: 301, notBefore: -1), Row(nextAttempt: 100_000, notBefore: 99_000),
    ]) func onlyThePauseOfAServerIsLongerThanADelay(row: Row) { #expect(verdict(row, longestDelay: .seconds(300)) == expected(row)) }

    @Test(arguments: [Row(nextAttempt: 301, wait: 301), Row(nextAttempt: 86_700, wait: 86_700), Row(nextAttempt: 86_701)])
    func withoutALongestDelayBothAreBoundAlike(row: Row) { #expect(verdict(row, longestDelay: nil) == expected(row)) }

    @Test func anOutboxLeasesWithTheDelayOfItsRule() throws {
        let rig = try OutboxRig { ($0.maximumDelay, $0.maximumRetryAfter) = (.seconds(7), .seconds(50)) }
        let lease = rig.outbox.core.lease(count: 1)
        #expect(lease.longestDelay == .seconds(7) && lease.longestPause == .seconds(57))
    }
}
