#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import GRDB
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacOutbox
import Testing

@testable import TarmacSQLite

/// How SQLite finds the entries of an outbox.
@Suite struct OutboxPlanTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/shop.db" }
    private let start = Date(timeIntervalSince1970: 1_000_000_000)

    private func record(_ number: Int, dueAfter pause: Double = 0) -> OutboxRecord {
        var record = OutboxRecord(
            id: OutboxEntry.ID(rawValue: "\(number)"), lane: lane(number), fingerprint: "\(number)", payload: .empty, isSealed: false, created: start)
        record.nextAttempt = start + pause
        return record
    }

    private func lane(_ number: Int) -> OutboxLane { OutboxLane(service: "shop", environment: "production", name: "lane \(number)") }

    private func lease(_ lane: OutboxLane? = nil, after seconds: Double = 0, ignoringPauses: Bool = false) -> OutboxLease {
        OutboxLease(
            owner: "a", environment: "production", lane: lane, now: start + seconds, until: start + seconds + 60, count: 4,
            ignoresPauses: ignoringPauses, longestPause: .seconds(3_600))
    }

    private func postponed(_ seconds: Double) -> OutboxSettlement {
        .postponed(OutboxSettlement.Postponement(until: start + seconds, notBefore: nil, attempts: 1, arrivals: 1, failure: nil))
    }

    /// Enqueues, leases, settles, renews, releases and revives entries.
    private func send(_ connection: Database) throws {
        for number in 0..<6 { _ = try connection.standIn(for: record(number, dueAfter: number < 4 ? 0 : 60)) }
        #expect(try connection.entryCount() == 6)
        let taken = try connection.take(lease()).records
        #expect(taken.map(\.id.rawValue) == ["0", "1", "2", "3"])
        #expect(try connection.tally(at: start) == OutboxTally(open: 6, leased: 4, dead: 0, oldest: start))
        for (record, settlement) in zip(taken, [.sent, postponed(30), .released]) {
            let own = try #require(try connection.record(record.id, owner: "a"))
            try connection.settle(own, settlement)
            _ = try connection.take(lease(record.lane))
        }
        try connection.renew(owner: "a", until: start + 90)
        try connection.release(owner: "a")
        #expect(try connection.take(lease(after: 30)).records.map(\.id.rawValue) == ["1", "2", "3"])
        #expect(try connection.take(lease(after: 30, ignoringPauses: true)).records.map(\.id.rawValue) == ["4", "5"])
    }

    @Test func noStatementOfSendingWalksOverEntriesOrSortsThem() async throws {
        let database = try SQLiteDatabase(path: path)
        _ = try SQLiteOutboxStore(database)
        let faults = try await database.write { connection in
            let statements = Locked<[String]>([])
            connection.trace { event in statements.withLock { $0.append(event.expandedDescription) } }
            try send(connection)
            connection.trace(options: [])
            let plain = statements.withLock { $0 }.filter { sql in ["SELECT", "INSERT", "UPDATE", "DELETE"].contains { sql.hasPrefix($0) } }
            #expect(plain.count > 50)
            return try Set(plain).flatMap { sql in
                try Row.fetchAll(connection, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
                    .filter { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }.map { "\($0): \(sql)" }
            }
        }
        #expect(faults.isEmpty)
    }

    @Test func entriesOfAnOlderFileAreSent() async throws {
        let database = try SQLiteDatabase(path: path)
        try DatabaseSchema(name: "outbox", steps: [DatabaseSchema.outbox.steps[0]]).prepare(database)
        try await database.write { connection in
            for (number, state, isInLine) in [(1, "waiting", 1), (2, "dead", 0), (3, "waiting", 1)] {
                try connection.execute(
                    sql: """
                        INSERT INTO outbox_entry (id, environment, line, service, principal, lane, fingerprint, payload, is_sealed, state, \
                        is_in_line, created, next_attempt, attempts, arrivals) VALUES (?, 'production', ?, 'shop', '', ?, ?, x'', 0, ?, ?, 0, 0, 0, 0)
                        """,
                    arguments: ["\(number)", lane(number).text, lane(number).name, "\(number)", state, isInLine])
            }
        }
        let store = try SQLiteOutboxStore(database)
        #expect(try await store.lease(lease()).records.map(\.id.rawValue) == ["1", "3"])
        await #expect(throws: TarmacError.self) { try await store.append([record(4)], limit: 3) }
        #expect(try await store.append([record(4)], limit: 4).count == 1)
    }
}
