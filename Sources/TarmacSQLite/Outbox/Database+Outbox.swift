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

    func entryCount() throws -> Int { try Int.fetchOne(cachedStatement(sql: "SELECT count(*) FROM outbox_entry")) ?? 0 }

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
    }

    /// Writes the changes of settling and reviving, and releases the lease.
    func update(_ record: OutboxRecord) throws {
        let statement = try cachedStatement(
            sql: """
                UPDATE outbox_entry SET state = ?, is_in_line = ?, expires = ?, next_attempt = ?, not_before = ?, attempts = ?, arrivals = ?, \
                failure = ?, owner = NULL, leased_until = NULL WHERE id = ?
                """)
        try statement.execute(
            arguments: [
                record.state.rawValue, record.isInLine, record.expires?.timeIntervalSince1970, record.nextAttempt.timeIntervalSince1970,
                record.notBefore?.timeIntervalSince1970, record.attempts, record.arrivals, record.failure?.data, record.id.rawValue,
            ])
    }

    func delete(_ id: OutboxEntry.ID) throws {
        try cachedStatement(sql: "DELETE FROM outbox_entry WHERE id = ?").execute(arguments: [id.rawValue])
    }

    func settle(_ record: OutboxRecord, _ settlement: OutboxSettlement) throws {
        if let settled = record.settled(settlement) { try update(settled) } else { try delete(record.id) }
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

    // MARK: Leases

    func take(_ lease: OutboxLease) throws -> OutboxLeased {
        var leased = OutboxLeased()
        for head in try heads(lease) {
            let verdict = lease.verdict(
                on: head.state, expires: head.expires, nextAttempt: head.nextAttempt, notBefore: head.notBefore, leasedUntil: head.leasedUntil)
            switch verdict {
            case .held: continue
            case .wait(let date): leased.note(date)
            case .take where leased.records.count >= lease.count: leased.hasMore = true
            case .take: try grant(head.number, lease).map { leased.records.append($0) }
            }
        }
        return leased
    }

    private func grant(_ number: Int64, _ lease: OutboxLease) throws -> OutboxRecord? {
        let statement = try cachedStatement(sql: "UPDATE outbox_entry SET owner = ?, leased_until = ? WHERE number = ? RETURNING *")
        return try Row.fetchOne(statement, arguments: [lease.owner, lease.until.timeIntervalSince1970, number]).flatMap(OutboxRecord.init)
    }

    /// Returns the first entry of each lane, the lowest number first. It steps from lane to lane in the index, so that
    /// the length of a lane does not matter.
    private func heads(_ lease: OutboxLease) throws -> [OutboxLaneHead] {
        let columns = "e.number, e.state, e.expires, e.next_attempt, e.not_before, e.leased_until"
        if let lane = lease.lane {
            let statement = try cachedStatement(
                sql: """
                    SELECT \(columns) FROM outbox_entry e WHERE e.is_in_line = 1 AND e.environment = ? AND e.line = ? ORDER BY e.number LIMIT 1
                    """)
            return try Row.fetchAll(statement, arguments: [lane.environment, lane.text]).compactMap(OutboxLaneHead.init)
        }
        let statement = try cachedStatement(
            sql: """
                WITH RECURSIVE lines (line) AS (
                    SELECT min(line) FROM outbox_entry WHERE is_in_line = 1 AND environment = :environment
                    UNION ALL
                    SELECT (SELECT min(line) FROM outbox_entry WHERE is_in_line = 1 AND environment = :environment AND line > lines.line)
                    FROM lines WHERE lines.line IS NOT NULL
                )
                SELECT \(columns) FROM lines JOIN outbox_entry e ON e.number =
                    (SELECT min(number) FROM outbox_entry WHERE is_in_line = 1 AND environment = :environment AND line = lines.line)
                WHERE lines.line IS NOT NULL ORDER BY e.number
                """)
        return try Row.fetchAll(statement, arguments: ["environment": lease.environment]).compactMap(OutboxLaneHead.init)
    }
}

/// The fields that decide about a lease; the payload stays in the file.
private struct OutboxLaneHead {
    let number: Int64
    let state: OutboxEntry.State
    let expires: Date?
    let nextAttempt: Date
    let notBefore: Date?
    let leasedUntil: Date?

    init?(_ row: Row) {
        // An entry with an unknown state is left alone.
        guard let state = OutboxEntry.State(rawValue: row["state"]) else { return nil }
        self.state = state
        number = row["number"]
        expires = (row["expires"] as Double?).map(Date.init(timeIntervalSince1970:))
        nextAttempt = Date(timeIntervalSince1970: row["next_attempt"])
        notBefore = (row["not_before"] as Double?).map(Date.init(timeIntervalSince1970:))
        leasedUntil = (row["leased_until"] as Double?).map(Date.init(timeIntervalSince1970:))
    }
}

extension OutboxRecord {
    fileprivate init?(_ row: Row) {
        guard let state = OutboxEntry.State(rawValue: row["state"]) else { return nil }
        let isInLine: Bool = row["is_in_line"]
        func date(_ column: String) -> Date? { (row[column] as Double?).map(Date.init(timeIntervalSince1970:)) }
        self.init(
            id: OutboxEntry.ID(rawValue: row["id"]),
            lane: OutboxLane(service: row["service"], environment: row["environment"], principal: row["principal"], name: row["lane"]),
            fingerprint: row["fingerprint"], payload: Bytes(row["payload"] as Data), isSealed: row["is_sealed"], state: state,
            created: Date(timeIntervalSince1970: row["created"]), expires: date("expires"),
            nextAttempt: Date(timeIntervalSince1970: row["next_attempt"]), notBefore: date("not_before"), attempts: row["attempts"],
            arrivals: row["arrivals"], failure: (row["failure"] as Data?).map { Bytes($0) }, leasedUntil: date("leased_until"),
            holdsLane: state == .dead && isInLine)
    }
}
#endif
