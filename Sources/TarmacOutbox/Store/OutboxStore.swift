#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// Where an outbox keeps its entries. Each call is one transaction: it is done when it returns, and whole or not at all.
///
/// `SQLiteOutboxStore` of TarmacSQLite outlives the process; ``MemoryOutboxStore`` does not. One of your own runs
/// `OutboxStoreConformance` of TarmacTesting. What it throws is told as ``OutboxChange/Kind/storeFailed(_:)``.
public protocol OutboxStore: Sendable {
    /// Whether what it keeps outlives the process.
    var isDurable: Bool { get }
    /// Where bodies are kept that are too large for entries: a folder of this store's alone, which the outbox makes, and cleans of
    /// what belongs to no entry. `nil` for none: larger bodies are refused. Default `nil`.
    var bodyFolder: String? { get }

    /// Puts entries at the end of their lanes, in order: all of them, or none.
    ///
    /// One whose fingerprint is there already is not put in again: the one there stands for it, if it is among `known`. If
    /// any is not, none is put in, and those are handed back, to be looked at first.
    ///
    /// Throws `TarmacError(.outboxFull)`, and puts none in, when there would be more than `limit` entries.
    func append(_ records: [OutboxRecord], known: Set<OutboxEntry.ID>, limit: Int) async throws -> OutboxAppended

    /// Hands out the heads of lanes that are due, see ``OutboxLease/verdict(on:expires:nextAttempt:notBefore:leasedUntil:)``.
    ///
    /// The head of a lane is its earliest entry that ``OutboxRecord/isInLine``.
    func lease(_ lease: OutboxLease) async throws -> OutboxLeased

    /// Writes down what became of an entry, if it is still the owner's, and hands out what `then` asks for, in one
    /// transaction. Never given up for a cancelled task.
    ///
    /// - Returns: whether it was the owner's.
    func settle(_ id: OutboxEntry.ID, as settlement: OutboxSettlement, owner: String, then lease: OutboxLease?) async throws -> (isOwners: Bool, OutboxLeased)

    /// Keeps what an owner holds for longer.
    func renew(owner: String, until: Date) async throws

    /// Gives back all that an owner holds. Never given up for a cancelled task.
    func release(owner: String) async throws

    /// The entries that are meant, oldest first, `limit` at most.
    func records(_ filter: OutboxFilter, limit: Int) async throws -> [OutboxRecord]

    /// Changes what an entry sends; `false` when there is none, or when somebody is sending it.
    func replace(_ id: OutboxEntry.ID, payload: Bytes, isSealed: Bool, fingerprint: String, now: Date) async throws -> Bool

    /// Makes dead letters and waiting entries due at once, where they stand; those being sent are left alone. Returns the IDs.
    func revive(_ filter: OutboxFilter, now: Date) async throws -> [OutboxRecord]

    /// Removes entries, those being sent included, and returns what they were.
    func remove(_ filter: OutboxFilter) async throws -> [OutboxRecord]
}

/// What a store did with entries it was given.
public enum OutboxAppended: Sendable, Equatable {
    /// They are there: an ID for each, in order.
    case stored([OutboxEntry.ID])
    /// These have the fingerprints of some of them, and nobody said that they are known: none was put in.
    case met([OutboxRecord])
}

extension OutboxStore {
    public var bodyFolder: String? { nil }

    /// Puts entries in, and takes one whose fingerprint is there already for the same.
    ///
    /// - Returns: their IDs, in order; the ID of the one there in the place of one that was not put in.
    public func append(_ records: [OutboxRecord], limit: Int) async throws -> [OutboxEntry.ID] {
        try await append(records, limit: limit) { _, _ in }
    }

    /// - Parameter check: throws when an entry that is there is not the same as the one to be put in.
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
