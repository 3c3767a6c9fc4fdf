#if SQLite
import GRDB
import TarmacCore
import TarmacOutbox

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The statements of an outbox, each called inside a transaction, and prepared once for each connection.
extension Database {
    // MARK: Entries

    func id(fingerprint: String) throws -> OutboxEntry.ID? {
        let statement = try cachedStatement(sql: "SELECT id FROM outbox_entry WHERE fingerprint = ?")
        return try String.fetchOne(statement, arguments: [fingerprint]).map(OutboxEntry.ID.init(rawValue:))
    }

    func entryCount() throws -> Int { try Int.fetchOne(cachedStatement(sql: "SELECT entries FROM outbox_size WHERE one = 1")) ?? 0 }

    func tally(at now: Date) throws -> OutboxTally {
        let sql = """
            SELECT entries, (SELECT count(*) FROM outbox_entry WHERE state = 'dead'), \
            (SELECT count(*) FROM outbox_entry WHERE owner IS NOT NULL AND leased_until > ?), \
            (SELECT min(created) FROM outbox_entry WHERE state = 'waiting') FROM outbox_size WHERE one = 1
            """
        let row = try Row.fetchOne(cachedStatement(sql: sql), arguments: [now.timeIntervalSince1970])
        let dead: Int = row?.read(1) ?? 0, open = max(0, (row?.read(0) ?? 0) - dead)
        return OutboxTally(
            open: open, leased: min(open, row?.read(2) ?? 0), dead: dead,
            oldest: (row?.read(3) as Double?).map(Date.init(timeIntervalSince1970:)))
    }

    /// Returns the ID of the entry with the same fingerprint, inserting the record if there is none.
    func standIn(for record: OutboxRecord) throws -> OutboxEntry.ID {
        if let there = try id(fingerprint: record.fingerprint) { return there }
        try insert(record)
        return record.id
    }

    private func insert(_ record: OutboxRecord) throws {
        let statement = try cachedStatement(
            sql: """
                INSERT INTO outbox_entry (id, environment, line, service, principal, lane, fingerprint, payload, is_sealed, state, is_in_line, \
                created, expires, next_attempt, not_before, attempts, arrivals, failure, leased_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        let lane = record.lane
        try statement.execute(
            arguments: [
                record.id.rawValue, lane.environment, lane.text, lane.service, lane.principal, lane.name, record.fingerprint, record.payload.data,
                record.isSealed, record.state.rawValue, record.isInLine, record.created.timeIntervalSince1970, record.expires?.timeIntervalSince1970,
                record.nextAttempt.timeIntervalSince1970, record.notBefore?.timeIntervalSince1970, record.attempts, record.arrivals,
                record.failure?.data, record.leasedUntil?.timeIntervalSince1970,
            ])
        try noteFirst(of: record.lane)
    }

    /// Writes the changes of settling, which ends the lease, and of reviving, which keeps one that has ended: its owner may still send.
    func update(_ record: OutboxRecord) throws {
        let statement = try cachedStatement(
            sql: """
                UPDATE outbox_entry SET state = ?, is_in_line = ?, expires = ?, next_attempt = ?, not_before = ?, attempts = ?, arrivals = ?, \
                failure = ?, owner = iif(? IS NULL, NULL, owner), leased_until = ?, turn = NULL, turn_at = 0 WHERE id = ?
                """)
        let leasedUntil = record.leasedUntil?.timeIntervalSince1970
        try statement.execute(
            arguments: [
                record.state.rawValue, record.isInLine, record.expires?.timeIntervalSince1970, record.nextAttempt.timeIntervalSince1970,
                record.notBefore?.timeIntervalSince1970, record.attempts, record.arrivals, record.failure?.data, leasedUntil,
                leasedUntil, record.id.rawValue,
            ])
        try noteFirst(of: record.lane)
        try noteSecond(of: record.lane)
    }

    func delete(_ record: OutboxRecord) throws {
        try cachedStatement(sql: "DELETE FROM outbox_entry WHERE id = ?").execute(arguments: [record.id.rawValue])
        try noteFirst(of: record.lane)
    }

    func settle(_ record: OutboxRecord, _ settlement: OutboxSettlement) throws {
        if let settled = record.settled(settlement) { try update(settled) } else { try delete(record) }
    }

    /// Returns the entry if it belongs to the owner.
    func record(_ id: OutboxEntry.ID, owner: String) throws -> OutboxRecord? {
        let statement = try cachedStatement(sql: "SELECT * FROM outbox_entry WHERE id = ? AND owner = ?")
        return try Row.fetchOne(statement, arguments: [id.rawValue, owner]).flatMap(OutboxRecord.init)
    }

    func records(_ filter: OutboxFilter, limit: Int) throws -> [OutboxRecord] {
        var conditions: [String] = []
        var arguments = StatementArguments()
        func add(_ column: String, _ value: String?) {
            guard let value else { return }
            conditions.append("\(column) = ?")
            arguments += [value]
        }
        add("state", filter.state?.rawValue)
        add("lane", filter.lane)
        add("service", filter.service)
        add("environment", filter.environment)
        add("principal", filter.principal)
        if let ids = filter.ids {
            // As one value, because a statement has a limited number of parameters.
            conditions.append("id IN (SELECT value FROM json_each(?))")
            arguments += [String(decoding: try JSONEncoder().encode(ids.map(\.rawValue)), as: UTF8.self)]
        }
        let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
        arguments += [max(limit, 0)]
        let sql = "SELECT * FROM outbox_entry \(condition) ORDER BY number LIMIT ?"
        return try Row.fetchAll(self, sql: sql, arguments: arguments).compactMap(OutboxRecord.init)
    }
}

extension OutboxRecord {
    /// Returns `nil` for a row of a later version, and for one that no outbox has written.
    init?(_ row: Row) {
        guard let state: String = row.read("state"), let state = OutboxEntry.State(rawValue: state), let id: String = row.read("id"),
            let service: String = row.read("service"), let environment: String = row.read("environment"),
            let principal: String = row.read("principal"), let lane: String = row.read("lane"), let fingerprint: String = row.read("fingerprint"),
            let payload: Data = row.read("payload"), let isSealed: Bool = row.read("is_sealed"), let isInLine: Bool = row.read("is_in_line"),
            let created = row.date("created"), let nextAttempt = row.date("next_attempt"), let attempts: Int = row.read("attempts"),
            let arrivals: Int = row.read("arrivals")
        else { return nil }
        self.init(
            id: OutboxEntry.ID(rawValue: id), lane: OutboxLane(service: service, environment: environment, principal: principal, name: lane),
            fingerprint: fingerprint, payload: Bytes(payload), isSealed: isSealed, state: state, created: created, expires: row.date("expires"),
            nextAttempt: nextAttempt, notBefore: row.date("not_before"), attempts: attempts, arrivals: arrivals,
            failure: (row.read("failure") as Data?).map { Bytes($0) }, leasedUntil: row.date("leased_until"), holdsLane: state == .dead && isInLine)
    }
}

extension Row {
    /// Returns a value, or `nil` for one of another type, which GRDB would trap on.
    func read<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        (self[column] as DatabaseValue?).flatMap(Value.fromDatabaseValue)
    }

    func read<Value: DatabaseValueConvertible>(_ index: Int) -> Value? { Value.fromDatabaseValue(self[index]) }

    func date(_ column: String) -> Date? { (read(column) as Double?).map(Date.init(timeIntervalSince1970:)) }
}
#endif
