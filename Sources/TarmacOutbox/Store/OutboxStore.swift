#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// A store for the entries of an outbox. Each call is one transaction: when it returns, all of it is done, or none.
///
/// `SQLiteOutboxStore` of TarmacSQLite survives the end of the process; ``MemoryOutboxStore`` does not. Test a custom
/// store with `OutboxStoreConformance` of TarmacTesting. The outbox reports the errors of a store as
/// ``OutboxChange/Kind/storeFailed(_:)``.
public protocol OutboxStore: Sendable {
    /// Whether entries survive the end of the process.
    var isDurable: Bool { get }
    /// The folder for bodies that are too large for entries; `nil` to refuse such bodies. Default: `nil`.
    ///
    /// The folder belongs to this store alone. The outbox creates it, and removes files that belong to no entry.
    var bodyFolder: String? { get }

    /// Appends entries to their lanes, in order: all of them, or none.
    ///
    /// An entry whose fingerprint already exists is not appended again if the existing one is in `known`. If an
    /// existing one is not in `known`, nothing is appended, and those entries are returned for a check.
    ///
    /// Throws `TarmacError(.outboxFull)`, and appends nothing, if there would be more than `limit` entries.
    func append(_ records: [OutboxRecord], known: Set<OutboxEntry.ID>, limit: Int) async throws -> OutboxAppended

    /// Leases the first entries of lanes that are due, see
    /// ``OutboxLease/verdict(on:expires:nextAttempt:notBefore:leasedUntil:)``.
    ///
    /// The first entry of a lane is the earliest that ``OutboxRecord/isInLine``. If the lease of another owner has ended, its
    /// request may have arrived: ``OutboxRecord/arrivals`` is then at least 1, and ``OutboxRecord/failure`` `nil`.
    func lease(_ lease: OutboxLease) async throws -> OutboxLeased

    /// Stores the result of an attempt, if the entry still belongs to the owner, and leases the next entries for `then`
    /// in the same transaction. The cancellation of the task does not interrupt it.
    ///
    /// - Returns: Whether the entry belonged to the owner.
    func settle(_ id: OutboxEntry.ID, as settlement: OutboxSettlement, owner: String, then lease: OutboxLease?) async throws -> (isOwners: Bool, OutboxLeased)

    /// Extends the leases of an owner.
    func renew(owner: String, until: Date) async throws

    /// Releases all leases of an owner, whose requests may have arrived: it changes the entries as ``lease(_:)`` does for those
    /// of another owner. It does not stop when the task is cancelled.
    func release(owner: String) async throws

    /// Returns the entries that match, oldest first, `limit` at most.
    func records(_ filter: OutboxFilter, limit: Int) async throws -> [OutboxRecord]

    /// Replaces the content of an entry; returns `false` if there is none, or if it is being sent.
    ///
    /// A lease that has ended is removed with its owner, which can no longer settle the entry, and
    /// ``OutboxRecord/arrivals`` becomes 0.
    func replace(_ id: OutboxEntry.ID, payload: Bytes, isSealed: Bool, fingerprint: String, now: Date) async throws -> Bool

    /// Makes matching entries due at once, in their places, except those being sent. Returns the entries as they were.
    func revive(_ filter: OutboxFilter, now: Date) async throws -> [OutboxRecord]

    /// Removes matching entries, those being sent included, and returns them.
    func remove(_ filter: OutboxFilter) async throws -> [OutboxRecord]
}

/// The result of an append.
public enum OutboxAppended: Sendable, Equatable {
    /// All are stored; the IDs are in order.
    case stored([OutboxEntry.ID])
    /// These entries have fingerprints of the new ones and are not in `known`; nothing was appended.
    case met([OutboxRecord])
}

extension OutboxStore {
    public var bodyFolder: String? { nil }

    /// Appends entries, and treats an existing entry with the same fingerprint as the same.
    ///
    /// - Returns: The IDs, in order; the ID of the existing entry for one that was not appended.
    public func append(_ records: [OutboxRecord], limit: Int) async throws -> [OutboxEntry.ID] {
        try await append(records, limit: limit) { _, _ in }
    }

    /// - Parameter check: Throws if an existing entry differs from the new one.
    func append(
        _ records: [OutboxRecord], limit: Int, check: (_ there: OutboxRecord, _ new: OutboxRecord) throws -> Void
    ) async throws -> [OutboxEntry.ID] {
        var known: Set<OutboxEntry.ID> = []
        while true {
            switch try await append(records, known: known, limit: limit) {
            case .stored(let ids): return ids
            case .met(let there):
                for old in there {
                    for new in records where new.fingerprint == old.fingerprint { try check(old, new) }
                }
                known.formUnion(there.map(\.id))
            }
        }
    }
}
