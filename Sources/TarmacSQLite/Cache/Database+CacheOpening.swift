#if SQLite
import GRDB
import TarmacCache
import TarmacCore
import TarmacSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SQLiteDatabase {
    /// Prepares the file: determines its sealing, removes the leftovers of processes that have ended, and makes room.
    ///
    /// On a full disk nothing can be written. Stored entries are still usable, unless they must be removed first.
    ///
    /// - Returns: The encoding, and the error that prevented writing, if any.
    func putInOrder(limit: Int64, _ sealer: (any Sealer)?, now: Int64) throws(TarmacError) -> (veil: CacheKeyDigester, fault: TarmacError?) {
        do {
            let made = try pool.write { [path] connection in
                let made = try connection.makeVeil(sealer)
                try connection.setLimit(limit)
                try connection.sweepPending(path)
                _ = try connection.evict(limit: limit, keeping: nil)
                return made
            }
            // An error here does not matter: damage shows where the data is used.
            try? pool.write { try $0.forgetUses(after: now) }
            // The log may still hold the plain data.
            if made.isEmptied { _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
            return (made.veil, nil)
        } catch {
            let fault = fault(error)
            guard !error.isDamage, let veil = try? pool.read({ try $0.veil(sealer) }), veil.isSealed == (sealer != nil) else { throw fault }
            return (veil, fault)
        }
    }

    /// Keeps only the last copy of a damaged cache, so that repeated damage does not fill the disk.
    ///
    /// Call it before the tables are created: an outbox may still add its tables to a new file, and its copies are
    /// kept.
    func forgetOlderDamage() {
        let isCache = try? pool.read { try $0.tableExists("cache_entry") && $0.holdsOnlyCache() }
        if isCache == true { DatabaseFile(path: path).forgetOlderDamage(where: Self.mayGo) }
    }

    /// Whether a copy holds only a cache. A copy that cannot be read, or has a log, may hold more.
    private static func mayGo(_ copy: String) -> Bool {
        if let log = FileDescriptor.status(copy + "-wal"), log.size > 0 { return false }
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try? DatabaseQueue(path: DatabaseFile(path: copy).unchangingURI, configuration: configuration)
        return (try? queue?.read { try $0.holdsOnlyCache() }) ?? false
    }

    /// Excludes the file and its log from backups while it holds only a cache. Each opening repeats it, because the log
    /// is created again and the tables of other stores may have been added.
    func markForBackups(_ backups: BackupExclusion) {
        guard let isOnlyCache = try? pool.read({ try $0.holdsOnlyCache() }) else { return }
        backups.apply(toFiles: ["", "-wal", "-shm", "-reserve"].map { path + $0 }, isExcluded: isOnlyCache)
    }
}

/// The preparation of the tables when a store is opened.
extension Database {
    /// Returns the encoding that the file was written with, if the sealer can open it. Otherwise removes all entries
    /// and returns a new encoding.
    ///
    /// - Returns: Also whether entries were removed.
    func makeVeil(_ sealer: (any Sealer)?) throws -> (veil: CacheKeyDigester, isEmptied: Bool) {
        let kept = try sealedSalt()
        guard let sealer else {
            if kept != nil { try forgetAll() }
            return (CacheKeyDigester(), kept != nil)
        }
        let context = CacheKeyDigester.Place.salt.context
        if let kept, let salt = try? sealer.open(kept, context: context) {
            // Sealed again with the current key, because the old one may be removed.
            try setMeta("salt", try sealer.seal(salt, context: context))
            return (CacheKeyDigester(sealer, salt: salt.array), false)
        }
        let wasUsed = try Int.fetchOne(self, sql: "SELECT 1 FROM cache_entry LIMIT 1") != nil
        try forgetAll()
        let salt = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        try setMeta("salt", try sealer.seal(Bytes(salt), context: context))
        return (CacheKeyDigester(sealer, salt: salt), wasUsed)
    }

    /// Returns the encoding of a file for inspection; `nil` if its key is missing.
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
        // Deleted data would still be in free pages.
        try execute(sql: "PRAGMA incremental_vacuum")
    }

    // MARK: Limit

    /// Returns the limit that the app has set, for inspection.
    func storedLimit() throws -> Int64? { try meta("limit").flatMap { Int64(String(decoding: $0.array, as: UTF8.self)) } }

    func setLimit(_ limit: Int64) throws {
        if try storedLimit() != limit { try setMeta("limit", Bytes("\(limit)")) }
    }

    private func meta(_ name: String) throws -> Bytes? {
        try Row.fetchOne(self, sql: "SELECT value FROM cache_meta WHERE name = ?", arguments: [name])
            .flatMap { ($0.read(0) as Data?).map { Bytes($0) } }
    }

    private func setMeta(_ name: String, _ value: Bytes) throws {
        try execute(sql: "REPLACE INTO cache_meta (name, value) VALUES (?, ?)", arguments: [name, value.data])
    }

    // MARK: Leftovers

    /// Removes the bodies of owners that are no longer alive.
    func sweepPending(_ path: String) throws {
        let owners = try Int64.fetchAll(self, sql: "SELECT DISTINCT owner FROM cache_pending")
        for owner in owners where !CacheLease.isHeld(by: owner, path) {
            try execute(sql: "DELETE FROM cache_chunk WHERE body IN (SELECT body FROM cache_pending WHERE owner = ?)", arguments: [owner])
            try execute(sql: "DELETE FROM cache_pending WHERE owner = ?", arguments: [owner])
        }
    }
}
#endif
