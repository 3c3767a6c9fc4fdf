#if SQLite
import GRDB
import Tarmac

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SQLiteCacheStore {
    /// `nil` when the database fails and that has been said.
    func reading<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value? {
        do {
            let value = try await database.read(body)
            noteSuccess()
            return value
        } catch { return try noteFailure(error) }
    }

    /// One transaction, to its end whoever is cancelled; `nil` when the database fails and that has been said.
    func writing<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value? {
        do {
            let value = try await database.writeToTheEnd(body)
            noteSuccess()
            return value
        } catch { return try noteFailure(error) }
    }

    private func noteSuccess() {
        state.withLock { if $0.isFailing { $0.isFailing = false } }
    }

    private func noteFailure<Value>(_ error: any Error) throws -> Value? {
        if error is CancellationError { throw error }
        let isNews = state.withLock { state in
            defer { state.isFailing = true }
            return !state.isFailing
        }
        if isNews { throw error }
        return nil
    }
}

extension Database {
    /// The veil the file was written with, if the sealer can open it; else everything in it goes, and there is a new one.
    func veil(_ sealer: (any Sealer)?) throws -> CacheVeil {
        let kept = try Row.fetchOne(self, sql: "SELECT value FROM cache_meta WHERE name = 'salt'").map { Bytes($0[0] as Data) }
        guard let sealer else {
            if kept != nil { try forgetAll() }
            return CacheVeil()
        }
        if let kept, let salt = try? sealer.open(kept, context: CacheVeil.Place.salt.context) { return CacheVeil(sealer, salt: salt.array) }
        try forgetAll()
        let salt = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        let sealed = try sealer.seal(Bytes(salt), context: CacheVeil.Place.salt.context)
        try execute(sql: "INSERT INTO cache_meta (name, value) VALUES ('salt', ?)", arguments: [sealed.data])
        return CacheVeil(sealer, salt: salt)
    }

    private func forgetAll() throws {
        try execute(sql: "DELETE FROM cache_meta")
        try execute(sql: "DELETE FROM cache_entry")
        // What was deleted would still stand in free pages.
        try execute(sql: "PRAGMA incremental_vacuum")
    }

    /// Removes bodies nobody writes any more: all of them when no other process has the file open, else those of yesterday.
    func sweepPending(all: Bool) throws {
        let condition = all ? "1" : "begun < CAST(strftime('%s', 'now') AS REAL) - 86400"
        try execute(sql: "DELETE FROM cache_chunk WHERE body IN (SELECT body FROM cache_pending WHERE \(condition))")
        try execute(sql: "DELETE FROM cache_pending WHERE \(condition)")
    }
}
#endif
