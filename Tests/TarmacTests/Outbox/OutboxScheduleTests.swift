#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Testing

import TarmacCore
@testable import TarmacOutbox

/// The entries that a store looks at to find the next ones, counted.
@Suite struct OutboxScheduleTests {
    private static let count = 10_000
    private let start = Date(timeIntervalSince1970: 1_000_000_000)

    private func record(_ number: Int, dueAfter pause: Double = 0) -> OutboxRecord {
        var record = OutboxRecord(
            id: OutboxEntry.ID(rawValue: "\(number)"), lane: OutboxLane(service: "shop", environment: "production", name: "\(number)"),
            fingerprint: "\(number)", payload: .empty, isSealed: false, created: start)
        record.nextAttempt = start + pause
        return record
    }

    private func lease(after seconds: Double = 0, ignoringPauses: Bool = false) -> OutboxLease {
        OutboxLease(
            owner: "a", environment: "production", now: start + seconds, until: start + seconds + 60, count: 4, ignoresPauses: ignoringPauses,
            longestPause: .seconds(3_600))
    }

    /// Leases and settles until nothing is due. Returns the number of entries sent.
    private func drain(_ store: MemoryOutboxStore, after seconds: Double = 0, ignoringPauses: Bool = false) -> Int {
        var sent = 0
        while case let records = store.lease(lease(after: seconds, ignoringPauses: ignoringPauses)).records, !records.isEmpty {
            for record in records { _ = store.settle(record.id, as: .sent, owner: "a", then: nil) }
            sent += records.count
        }
        return sent
    }

    @Test func dueLanesAreLookedAtAFewTimesEach() throws {
        let store = MemoryOutboxStore()
        _ = try store.append((0..<Self.count).map { record($0) }, known: [], limit: .max)
        #expect(drain(store) == Self.count)
        #expect(store.judgedCount < 4 * Self.count)
    }

    @Test func waitingLanesAreNotLookedAtAgain() throws {
        let store = MemoryOutboxStore()
        _ = try store.append((0..<Self.count).map { record($0, dueAfter: 600) }, known: [], limit: .max)
        for number in 0..<1_000 {
            _ = try store.append([record(Self.count + number)], known: [], limit: .max)
            #expect(drain(store) == 1)
            #expect(store.lease(lease()).nextWake == start + 600)
        }
        #expect(store.judgedCount < 4 * Self.count)
        #expect(drain(store, after: 599) == 0)
        #expect(drain(store, after: 600) == Self.count)
        #expect(store.judgedCount < 8 * Self.count)
    }

    @Test func lanesWhosePauseIsIgnoredAreLookedAtAFewTimesEach() throws {
        let store = MemoryOutboxStore()
        _ = try store.append((0..<Self.count).map { record($0, dueAfter: 600) }, known: [], limit: .max)
        #expect(drain(store) == 0)
        #expect(drain(store, ignoringPauses: true) == Self.count)
        #expect(store.judgedCount < 6 * Self.count)
    }

    @Test func turnsComeInTheirOrder() {
        var turns = OutboxTurns()
        let dates = (0..<500).map { Date(timeIntervalSince1970: Double($0 * 7919 % 101)) }
        for (number, date) in dates.enumerated() { turns.insert(OutboxTurn(date: date, number: number)) }
        turns.keep { $0.number % 3 != 0 }
        var taken: [OutboxTurn] = []
        while turns.first != nil { taken.append(turns.removeFirst()) }
        #expect(taken == dates.enumerated().map { OutboxTurn(date: $1, number: $0) }.filter { $0.number % 3 != 0 }.sorted())
    }

    /// Entries that are sent leave turns behind that no longer hold.
    @Test func turnsThatNoLongerHoldAreRemoved() {
        var schedule = OutboxSchedule()
        for number in 0..<10_000 {
            schedule.add(number)
            schedule.advance(lease())
            #expect(schedule.takeReady() == number)
            schedule.wait(number, until: start + 60, isPause: false)
            schedule.remove(number)
            #expect(schedule.turnCount < 200)
        }
    }
}
