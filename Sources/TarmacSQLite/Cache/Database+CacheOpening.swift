#if SQLite
import GRDB
import TarmacCache
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SQLiteDatabase {
    /// Finds out how the file is sealed, removes what the dead have left, and makes room.
    ///
    /// On a full disk none of this can be written; what is stored is of use all the same, unless it must be forgotten first.
    ///
    /// - Returns: also what stood in the way.
    func putInOrder(limit: Int64, _ sealer: (any Sealer)?, now: Int64) throws(TarmacError) -> (veil: CacheKeyDigester, fault: TarmacError?) {
        do {
            let made = try pool.write { [path] connection in
                let made = try connection.makeVeil(sealer)
                try connection.setLimit(limit)
                try connection.sweepPending(path)
                _ = try connection.evict(limit: limit, keeping: nil)
                return made
            }
            // Of no weight: what is damaged shows where it is used.
            try? pool.write { try $0.forgetUses(after: now) }
            // What was in the clear would still stand in the log.
            if made.isEmptied { _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
            return (made.veil, nil)
        } catch {
            let fault = fault(error)
            guard !error.isDamage, let veil = try? pool.read({ try $0.veil(sealer) }), veil.isSealed == (sealer != nil) else { throw fault }
            return (veil, fault)
        }
    }

    /// One that is damaged again and again would fill the disk with what nobody wants: of copies that were moved aside the last stays.
    /// To be called before the tables are made: in a new file those of an outbox may come still, and its copies are its own.
    func forgetOlderDamage() {
        let isCache = try? pool.read { try $0.tableExists("cache_entry") && $0.holdsOnlyCache() }
        if isCache == true { DatabaseFile(path: path).forgetOlderDamage(where: Self.mayGo) }
    }

    /// Whether a copy holds a cache and nothing else, as far as it can be told: what cannot be read, or has a log of its own, may be more.
    private static func mayGo(_ copy: String) -> Bool {
        if let log = FileDescriptor.status(copy + "-wal"), log.size > 0 { return false }
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try? DatabaseQueue(path: DatabaseFile(path: copy).unchangingURI, configuration: configuration)
        return (try? queue?.read { try $0.holdsOnlyCache() }) ?? false
    }

    /// Has backups leave the file and its log out while nothing but a cache is in it: each time, since the log is made anew and the
    /// tables of others may come later.
    func markForBackups(_ backups: BackupExclusion) {
        guard let isOnlyCache = try? pool.read({ try $0.holdsOnlyCache() }) else { return }
        backups.apply(toFiles: ["", "-wal", "-shm", "-reserve"].map { path + $0 }, isExcluded: isOnlyCache)
    }
}

/// What happens to the tables when a store is opened.
extension Database {
    /// The veil the file was written with, if the sealer can open it; else everything in it goes, and there is a new one.
    ///
    /// - Returns: also whether something went.
    func makeVeil(_ sealer: (any Sealer)?) throws -> (veil: CacheKeyDigester, isEmptied: Bool) {
        let kept = try sealedSalt()
        guard let sealer else {
            if kept != nil { try forgetAll() }
            return (CacheKeyDigester(), kept != nil)
        }
        let context = CacheKeyDigester.Place.salt.context
        if let kept, let salt = try? sealer.open(kept, context: context) {
            // Under the key of today: the one it was sealed with may be put away.
            try setMeta("salt", try sealer.seal(salt, context: context))
            return (CacheKeyDigester(sealer, salt: salt.array), false)
        }
        let wasUsed = try Int.fetchOne(self, sql: "SELECT 1 FROM cache_entry LIMIT 1") != nil
        try forgetAll()
        let salt = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        try setMeta("salt", try sealer.seal(Bytes(salt), context: context))
        return (CacheKeyDigester(sealer, salt: salt), wasUsed)
    }

    /// The veil of a file that is only looked into; `nil` when it cannot be lifted.
    func veil(_ sealer: (any Sealer)?) throws -> CacheKeyDigester? {
        guard let kept = try sealedSalt() else { return CacheKeyDigester() }
        guard let sealer, let salt = try? sealer.open(kept, context: CacheKeyDigester.Place.salt.context) else { return nil }
        return CacheKeyDigester(sealer, salt: salt.array)
    }

    private func sealedSalt() throws -> Bytes? { try meta("salt") }

    private func forgetAll() throws {
        try execute(sql: "DELETE FROM cache_meta")
        try execute(sql: "DELETE FROM cache_entry")
        try execute(sql: "DELETE FROM cache_chunk")
        try execute(sql: "DELETE FROM cache_pending")
        // What was deleted would still stand in free pages.
        try execute(sql: "PRAGMA incremental_vacuum")
    }

    // MARK: Limit

    /// What the app lets entries take, for those who look in.
    func storedLimit() throws -> Int64? { try meta("limit").flatMap { Int64(String(decoding: $0.array, as: UTF8.self)) } }

    func setLimit(_ limit: Int64) throws {
        if try storedLimit() != limit { try setMeta("limit", Bytes("\(limit)")) }
    }

    private func meta(_ name: String) throws -> Bytes? {
        try Row.fetchOne(self, sql: "SELECT value FROM cache_meta WHERE name = ?", arguments: [name]).map { Bytes($0[0] as Data) }
    }

    private func setMeta(_ name: String, _ value: Bytes) throws {
        try execute(sql: "REPLACE INTO cache_meta (name, value) VALUES (?, ?)", arguments: [name, value.data])
    }

    // MARK: What was left

    /// Removes the bodies of those who do not live any more.
    func sweepPending(_ path: String) throws {
        let owners = try Int64.fetchAll(self, sql: "SELECT DISTINCT owner FROM cache_pending")
        for owner in owners where !CacheLease.isHeld(by: owner, path) {
            try execute(sql: "DELETE FROM cache_chunk WHERE body IN (SELECT body FROM cache_pending WHERE owner = ?)", arguments: [owner])
            try execute(sql: "DELETE FROM cache_pending WHERE owner = ?", arguments: [owner])
        }
    }
}
#endif
