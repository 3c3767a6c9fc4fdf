#if SQLite
import GRDB
@_spi(TarmacRooms) public import TarmacCore
public import TarmacOutbox

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store that keeps the entries of an outbox in a SQLite file, so that they survive the end of the process.
///
/// ```swift
/// let database = try SQLiteDatabase(path: folder + "/shop.db")
/// let outbox = try Outbox(client: client, store: SQLiteOutboxStore(database))
/// ```
/// Outboxes of several processes may share the file. An entry that one is sending is not sent by another until its
/// lease has expired. If no other process has the file open when the database is opened, the leases of processes that have ended
/// are released at once.
public final class SQLiteOutboxStore: OutboxStore, CustomStringConvertible {
    private let database: SQLiteDatabase
    /// The clock at the leases so far, by environment.
    private let clocks = Locked<[ExactText: Clock]>([:])

    /// Creates a store, and its tables if they are missing. Throws `TarmacError(.storeFailed)`.
    public init(_ database: SQLiteDatabase) throws(TarmacError) {
        self.database = database
        try DatabaseSchema.outbox.prepare(database)
    }

    /// Creates a store for inspecting the file of a program that may be running or have crashed.
    ///
    /// No lease is released, and a damaged file is refused instead of moved aside.
    ///
    /// Throws `TarmacError(.storeFailed)`, also if there is no outbox in the file.
    public init(inspecting path: String) throws(TarmacError) {
        database = try SQLiteDatabase(inspecting: path)
        try DatabaseSchema.outbox.check(database)
    }

    public var isDurable: Bool { true }
    /// The folder beside the file whose name is that of the file followed by `-outbox`.
    public var bodyFolder: String? { database.path + "-outbox" }
    public var description: String { "outbox in \(database)" }

    public func append(_ records: [OutboxRecord], known: Set<OutboxEntry.ID>, limit: Int) async throws -> OutboxAppended {
        try await database.writeToTheEnd { connection in
            let there = try records.compactMap { try connection.id(fingerprint: $0.fingerprint) }
            let unknown = Set(there).subtracting(known)
            if !unknown.isEmpty { return .met(try connection.records(OutboxFilter(ids: unknown), limit: unknown.count)) }
            let ids = try records.map { try connection.standIn(for: $0) }
            // Counted afterwards: an error rolls the whole transaction back.
            if there.count < records.count, try connection.entryCount() > limit { throw TarmacError.outboxFull(limit) }
            return .stored(ids)
        }
    }

    public func lease(_ lease: OutboxLease) async throws -> OutboxLeased {
        let isShared = !database.wasOpenedAlone
        let restarts = clocks.withLock { $0[ExactText(lease.environment)]?.hasChanged(lease, isShared: isShared) ?? true }
        let leased = try await database.writeToTheEnd { connection in
            if restarts { try connection.restartTurns(in: lease.environment) }
            return try connection.take(lease)
        }
        clocks.withLock { $0[ExactText(lease.environment)] = Clock($0[ExactText(lease.environment)], lease, restarts: restarts) }
        return leased
    }

    public func settle(
        _ id: OutboxEntry.ID, as settlement: OutboxSettlement, owner: String, then lease: OutboxLease?
    ) async throws -> (isOwners: Bool, OutboxLeased) {
        try await database.writeToTheEnd { connection in
            let record = try connection.record(id, owner: owner)
            if let record { try connection.settle(record, settlement) }
            return (record != nil, try lease.map { try connection.take($0) } ?? OutboxLeased())
        }
    }

    public func renew(owner: String, until: Date) async throws {
        try await database.writeToTheEnd { try $0.renew(owner: owner, until: until) }
    }

    public func release(owner: String) async throws {
        try await database.writeToTheEnd { try $0.release(owner: owner) }
    }

    public func records(_ filter: OutboxFilter, limit: Int) async throws -> [OutboxRecord] {
        try await database.read { try $0.records(filter, limit: limit) }
    }

    public func replace(_ id: OutboxEntry.ID, payload: Bytes, isSealed: Bool, fingerprint: String, now: Date) async throws -> Bool {
        try await database.writeToTheEnd { connection in
            guard let record = try connection.records(OutboxFilter(ids: [id]), limit: 1).first, record.isFree(at: now) else { return false }
            if let other = try connection.id(fingerprint: fingerprint), other != id { throw TarmacError.outboxKeyTaken }
            try connection.execute(
                sql: """
                    UPDATE outbox_entry SET payload = ?, is_sealed = ?, fingerprint = ?, arrivals = 0, owner = NULL, leased_until = NULL, \
                    turn = iif(turn IS NULL, NULL, 0), turn_at = 0 WHERE id = ?
                    """,
                arguments: [payload.data, isSealed, fingerprint, id.rawValue])
            return true
        }
    }

    public func revive(_ filter: OutboxFilter, now: Date) async throws -> [OutboxRecord] {
        try await database.writeToTheEnd { connection in
            let meant = try connection.records(filter, limit: .max).filter { $0.isFree(at: now) }
            for record in meant { try connection.update(record.revived(at: now)) }
            return meant
        }
    }

    public func remove(_ filter: OutboxFilter) async throws -> [OutboxRecord] {
        try await database.writeToTheEnd { connection in
            let meant = try connection.records(filter, limit: .max)
            for record in meant { try connection.delete(record) }
            return meant
        }
    }
}

extension SQLiteOutboxStore: CountedOutboxStore {
    package func tally(at now: Date) async throws -> OutboxTally { try await database.read { try $0.tally(at: now) } }
}

/// The clock at the leases of one environment. The turns of its entries hold as long as it does not go back.
private struct Clock {
    private var latest: Date
    private var longestPause: Duration
    /// The time of the last restart of the turns.
    private var restarted: Date
    private static let interval = 60.0

    init(_ before: Clock?, _ lease: OutboxLease, restarts: Bool) {
        latest = restarts ? lease.now : max(before?.latest ?? lease.now, lease.now)
        longestPause = lease.longestPause
        restarted = restarts ? lease.now : before?.restarted ?? lease.now
    }

    /// Whether the verdicts of earlier leases may not hold for another one.
    ///
    /// A process of an older version that has the file open knows no turns: its entries get theirs at the next restart.
    /// It had the file open before this one, since it refuses the tables of a later version.
    func hasChanged(_ lease: OutboxLease, isShared: Bool) -> Bool {
        if lease.now + 1 < latest || lease.longestPause != longestPause { return true }
        return isShared && lease.now.timeIntervalSince(restarted) >= Self.interval
    }
}
#endif
