#if SQLite
import GRDB
import TarmacCore
import TarmacOutbox

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of the first entry of a lane in the index of turns. Other entries have none, nor has a dead letter that
/// holds its lane.
enum OutboxTurnKind: Int {
    /// To be judged: it may be due.
    case ready
    /// It waits for the end of a pause that a lease may ignore.
    case paused
    /// It waits for the end of a lease or of a pause that the server asked for.
    case waiting
}

/// The leases of an outbox. The next entries are found in the index of turns, so that a lease costs the same with one
/// lane and with thousands.
///
/// Every change of a lane makes its first entry ready. The verdict of a lease makes it wait until a date, at which it is
/// ready again. Verdicts depend on the clock in one more way: a date too far ahead was set by a clock that has been set
/// back since; see ``restartTurns(in:)``.
extension Database {
    /// Makes the first entry of a lane ready, if it has changed or was not the first before.
    func noteFirst(of lane: OutboxLane) throws {
        let sql = "UPDATE outbox_entry SET turn = 0, turn_at = 0 WHERE number = (\(Self.inLine)) AND turn IS NULL AND state = 'waiting'"
        try cachedStatement(sql: sql).execute(arguments: [lane.environment, lane.text, 0])
    }

    /// Takes its turn from the second entry of a lane, which was the first before another was revived.
    func noteSecond(of lane: OutboxLane) throws {
        let sql = "UPDATE outbox_entry SET turn = NULL, turn_at = 0 WHERE number = (\(Self.inLine)) AND turn IS NOT NULL"
        try cachedStatement(sql: sql).execute(arguments: [lane.environment, lane.text, 1])
    }

    /// The number of an entry in a lane, by its position.
    private static var inLine: String {
        "SELECT number FROM outbox_entry WHERE is_in_line = 1 AND environment = ? AND line = ? ORDER BY number LIMIT 1 OFFSET ?"
    }

    /// Releases the leases of processes that have ended. Tables of a later version are left alone.
    func releaseLeftLeases(_ path: String) throws {
        guard try DatabaseSchema.outbox.version(self) > 0 else { return }
        _ = try DatabaseSchema.outbox.update(self, path)
        try release(owner: nil)
    }

    /// Releases the leases of an owner, or of all. Their requests may have arrived.
    func release(owner: String?) throws {
        let sql = """
            UPDATE outbox_entry SET owner = NULL, leased_until = NULL, arrivals = max(arrivals, 1), failure = NULL, \
            turn = iif(turn IS NULL, NULL, 0), turn_at = 0 WHERE owner
            """
        if let owner { try execute(sql: sql + " = ?", arguments: [owner]) } else { try execute(sql: sql + " IS NOT NULL") }
    }

    /// Extends the leases of an owner.
    func renew(owner: String, until: Date) throws {
        let until = until.timeIntervalSince1970
        try execute(
            sql: "UPDATE outbox_entry SET leased_until = ?, turn_at = iif(turn = 2, ?, turn_at) WHERE owner = ?", arguments: [until, until, owner])
    }

    /// Makes the first entries of all lanes of an environment ready.
    ///
    /// It walks over the lanes. A store does it at its first lease, when the clock has gone back, and once a minute if
    /// another process had the file open before, which may be of an older version.
    func restartTurns(in environment: String) throws {
        try cachedStatement(sql: "UPDATE outbox_entry SET turn = NULL, turn_at = 0 WHERE environment = ? AND turn IS NOT NULL")
            .execute(arguments: [environment])
        // Steps from lane to lane in the index, so that the length of a lane does not matter.
        let statement = try cachedStatement(
            sql: """
                WITH RECURSIVE lines (line) AS (
                    SELECT min(line) FROM outbox_entry WHERE is_in_line = 1 AND environment = :environment
                    UNION ALL
                    SELECT (SELECT min(line) FROM outbox_entry WHERE is_in_line = 1 AND environment = :environment AND line > lines.line)
                    FROM lines WHERE lines.line IS NOT NULL
                )
                UPDATE outbox_entry SET turn = 0, turn_at = 0 WHERE state = 'waiting' AND number IN (
                    SELECT (SELECT min(number) FROM outbox_entry WHERE is_in_line = 1 AND environment = :environment AND line = lines.line)
                    FROM lines WHERE lines.line IS NOT NULL
                )
                """)
        try statement.execute(arguments: ["environment": environment])
    }

    // MARK: Leases

    func take(_ lease: OutboxLease) throws -> OutboxLeased {
        if let lane = lease.lane { return try take(lease, onlyFrom: lane) }
        try advanceTurns(lease)
        var leased = OutboxLeased()
        var taken: [Int64] = []
        var last: Int64 = 0
        var limit = max(lease.count, 0) + 1
        while !leased.hasMore {
            let firsts = try readyEntries(lease, after: last, limit: limit)
            for first in firsts where !leased.hasMore {
                last = first.number
                switch first.verdict(for: lease) {
                case nil: continue
                case .held?: try setTurn(of: first.number, nil, until: nil)
                case .wait(let date)?: try setTurn(of: first.number, first.isPause(for: lease) ? .paused : .waiting, until: date)
                case .take? where taken.count >= lease.count: leased.hasMore = true
                case .take?: taken.append(first.number)
                }
            }
            if firsts.count < limit { break }
            // Many are not due after all, such as after a restart.
            limit = max(limit, 256)
        }
        leased.nextWake = try nextTurn(lease)
        for number in taken { try grant(number, lease).map { leased.records.append($0) } }
        return leased
    }

    private func take(_ lease: OutboxLease, onlyFrom lane: OutboxLane) throws -> OutboxLeased {
        let statement = try cachedStatement(
            sql: """
                SELECT \(OutboxFirst.columns) FROM outbox_entry WHERE is_in_line = 1 AND environment = ? AND line = ? ORDER BY number LIMIT 1
                """)
        var leased = OutboxLeased()
        guard let first = try Row.fetchOne(statement, arguments: [lane.environment, lane.text]).map(OutboxFirst.init) else { return leased }
        switch first.verdict(for: lease) {
        case nil, .held?: break
        case .wait(let date)?: leased.note(date)
        case .take? where lease.count <= 0: leased.hasMore = true
        case .take?: try grant(first.number, lease).map { leased.records.append($0) }
        }
        return leased
    }

    private func grant(_ number: Int64, _ lease: OutboxLease) throws -> OutboxRecord? {
        let statement = try cachedStatement(
            sql: """
                UPDATE outbox_entry SET arrivals = iif(owner <> :owner, max(arrivals, 1), arrivals), failure = iif(owner <> :owner, NULL, failure), \
                owner = :owner, leased_until = :until, turn = :turn, turn_at = :until WHERE number = :number RETURNING *
                """)
        let until = lease.until.timeIntervalSince1970
        return try Row.fetchOne(
            statement, arguments: ["owner": lease.owner, "until": until, "turn": OutboxTurnKind.waiting.rawValue, "number": number]
        )
        .flatMap(OutboxRecord.init)
    }

    // MARK: Turns

    /// Makes the entries ready whose date has come, and those that pause if the lease ignores pauses.
    private func advanceTurns(_ lease: OutboxLease) throws {
        let statement = try cachedStatement(
            sql: "UPDATE outbox_entry SET turn = 0, turn_at = 0 WHERE environment = ? AND turn = ? AND turn_at <= ?")
        let now = lease.now.timeIntervalSince1970
        let pauseEnd = lease.ignoresPauses ? Double.greatestFiniteMagnitude : now
        try statement.execute(arguments: [lease.environment, OutboxTurnKind.paused.rawValue, pauseEnd])
        try statement.execute(arguments: [lease.environment, OutboxTurnKind.waiting.rawValue, now])
    }

    private func readyEntries(_ lease: OutboxLease, after number: Int64, limit: Int) throws -> [OutboxFirst] {
        let statement = try cachedStatement(
            sql: """
                SELECT \(OutboxFirst.columns) FROM outbox_entry WHERE environment = ? AND turn = 0 AND turn_at = 0 AND number > ? \
                ORDER BY number LIMIT ?
                """)
        return try Row.fetchAll(statement, arguments: [lease.environment, number, limit]).map(OutboxFirst.init)
    }

    private func setTurn(of number: Int64, _ turn: OutboxTurnKind?, until date: Date?) throws {
        try cachedStatement(sql: "UPDATE outbox_entry SET turn = ?, turn_at = ? WHERE number = ?")
            .execute(arguments: [turn?.rawValue, date?.timeIntervalSince1970 ?? 0, number])
    }

    /// Returns the earliest date that an entry waits for.
    private func nextTurn(_ lease: OutboxLease) throws -> Date? {
        let statement = try cachedStatement(sql: "SELECT min(turn_at) FROM outbox_entry WHERE environment = ? AND turn = ?")
        let dates = try [OutboxTurnKind.paused, .waiting].compactMap { turn in
            try Double.fetchOne(statement, arguments: [lease.environment, turn.rawValue])
        }
        return dates.min().map(Date.init(timeIntervalSince1970:))
    }
}

/// The fields that decide about a lease; the payload stays in the file.
private struct OutboxFirst {
    static let columns = "number, state, expires, next_attempt, not_before, leased_until"

    let number: Int64
    /// `nil` for a state of a later version, whose entry is left alone.
    private let state: OutboxEntry.State?
    private let expires: Date?
    private let nextAttempt: Date
    private let notBefore: Date?
    private let leasedUntil: Date?

    init(_ row: Row) {
        state = (row.read("state") as String?).flatMap(OutboxEntry.State.init)
        number = row.read("number") ?? 0
        expires = row.date("expires")
        nextAttempt = row.date("next_attempt") ?? .distantPast
        notBefore = row.date("not_before")
        leasedUntil = row.date("leased_until")
    }

    func verdict(for lease: OutboxLease) -> OutboxLease.Verdict? {
        state.map { lease.verdict(on: $0, expires: expires, nextAttempt: nextAttempt, notBefore: notBefore, leasedUntil: leasedUntil) }
    }

    /// Whether the entry waits for the end of a pause that a lease may ignore.
    func isPause(for lease: OutboxLease) -> Bool {
        var ignoring = lease
        ignoring.ignoresPauses = true
        return verdict(for: ignoring) == .take
    }
}
#endif
