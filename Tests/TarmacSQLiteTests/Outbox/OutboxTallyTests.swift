#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import Tarmac
import TarmacOutbox
import TarmacSQLite
import TarmacTesting
import Testing

/// What the stores of an outbox count, compared with their entries.
@Suite struct OutboxTallyTests {
    private let folder = TemporaryFolder()
    private let start = Date(timeIntervalSince1970: 1_000_000_000)

    private func record(_ number: Int, at now: Date) -> OutboxRecord {
        OutboxRecord(
            id: OutboxEntry.ID(rawValue: "\(number)"), lane: OutboxLane(service: "shop", environment: "production", name: "\(number % 5)"),
            fingerprint: "\(number)", payload: Bytes(String(repeating: "x", count: number * 700 % 9_000)), isSealed: false, created: now)
    }

    private func lease(_ now: Date, _ owner: String) -> OutboxLease {
        OutboxLease(owner: owner, environment: "production", now: now, until: now + 60, count: 2, longestPause: .seconds(3_600))
    }

    @Test(arguments: [1, 2, 3], [true, false]) func aTallyIsThatOfTheEntries(_ seed: UInt64, isInMemory: Bool) async throws {
        let store: any CountedOutboxStore = isInMemory ? MemoryOutboxStore() : try SQLiteOutboxStore(SQLiteDatabase(path: folder.path + "/shop.db"))
        var generator = SeededGenerator(seed: seed), now = start, leased: [OutboxRecord] = []
        for number in 0..<300 {
            now += Double.random(in: 0...20, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0...2: _ = try await store.append([record(number, at: now)], limit: 1_000)
            case 3, 4: leased += try await store.lease(lease(now, "a")).records
            case 5:
                guard let record = leased.popLast() else { break }
                let dead = OutboxSettlement.buried(.init(holdsLane: number % 2 == 0, attempts: 1, arrivals: 1, failure: .empty))
                _ = try await store.settle(record.id, as: Bool.random(using: &generator) ? .sent : dead, owner: "a", then: nil)
            case 6: _ = try await store.revive(OutboxFilter(ids: [OutboxEntry.ID(rawValue: "\(Int.random(in: 0...number, using: &generator))")]), now: now)
            default: _ = try await store.remove(OutboxFilter(ids: [OutboxEntry.ID(rawValue: "\(Int.random(in: 0...number, using: &generator))")]))
            }
            let entries = try await store.records(.all, limit: .max), open = entries.filter { $0.state == .waiting }
            let expected = OutboxTally(
                open: open.count, leased: open.count { !$0.isFree(at: now) }, dead: entries.count - open.count, oldest: open.map(\.created).min())
            try #require(try await store.tally(at: now) == expected)
        }
        let last = try await store.tally(at: now)
        #expect(last.open > 0 && last.dead > 0)
    }
}
