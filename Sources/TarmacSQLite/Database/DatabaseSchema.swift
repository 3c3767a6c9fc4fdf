#if SQLite
import GRDB
import TarmacCache
import TarmacCore

/// The tables of one store: SQL that makes them, and SQL for each change since.
///
/// ```swift
/// static let schema = DatabaseSchema(name: "cache", steps: ["CREATE TABLE cache_entry (…) STRICT"])
/// ```
/// Names of tables begin with the store's. A step that was released is never changed; a new one is appended. Stores version
/// their tables apart: one file holds those of any of them.
struct DatabaseSchema: Sendable {
    let name: String
    /// The first makes the tables, each of the others changes them; the version is how many have been taken.
    let steps: [String]

    /// Makes the tables or brings them up to date, in one transaction.
    ///
    /// Throws `TarmacError(.storeFailed)` for tables of a later version than this one knows.
    func prepare(_ database: SQLiteDatabase) throws(TarmacError) {
        if database.isRemoved {
            throw TarmacError(.storeFailed, "the file of \(database) was removed to make room", suggestion: "open the database anew")
        }
        do {
            let isNew = try database.pool.write { connection in
                let sql = "CREATE TABLE IF NOT EXISTS tarmac_schema (name TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL) STRICT, WITHOUT ROWID"
                try connection.execute(sql: sql)
                let version = try Int.fetchOne(connection, sql: "SELECT version FROM tarmac_schema WHERE name = ?", arguments: [name]) ?? 0
                guard version <= steps.count else { throw tooNew(version, database.path) }
                guard version < steps.count else { return false }
                for step in steps[version...] { try connection.execute(sql: step) }
                try connection.execute(sql: "REPLACE INTO tarmac_schema (name, version) VALUES (?, ?)", arguments: [name, steps.count])
                return version == 0
            }
            // Until now the file may have held nothing but a cache, and no backup.
            if isNew, name != Self.cache.name { database.markForBackups(BackupExclusion()) }
        } catch { throw database.fault(error) }
    }

    /// Throws `TarmacError(.storeFailed)` unless the tables are there and as this one knows them.
    func check(_ database: SQLiteDatabase) throws(TarmacError) {
        do {
            let version = try database.pool.read { connection in
                guard try connection.tableExists("tarmac_schema") else { return 0 }
                return try Int.fetchOne(connection, sql: "SELECT version FROM tarmac_schema WHERE name = ?", arguments: [name]) ?? 0
            }
            if version > steps.count { throw tooNew(version, database.path) }
            if version == 0 { throw TarmacError(.storeFailed, "there is no \(name) in \(database.path)") }
            if version < steps.count {
                throw TarmacError(.storeFailed, "the tables \"\(name)\" in \(database.path) are of an older version", suggestion: "open it with the app first")
            }
        } catch { throw database.fault(error) }
    }

    private func tooNew(_ version: Int, _ path: String) -> TarmacError {
        TarmacError(
            .storeFailed, "the tables \"\(name)\" in \(path) are of version \(version); this program knows \(steps.count)",
            suggestion: "update the program, or give it a file of its own")
    }
}

extension Database {
    /// Whether nobody but a cache has tables here: no other store, nor the app itself.
    func holdsOnlyCache() throws -> Bool {
        let sql = """
            SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*' AND name NOT IN
            ('tarmac_schema', 'cache_entry', 'cache_tag', 'cache_chunk', 'cache_pending', 'cache_total', 'cache_meta')
            """
        return try Int.fetchOne(self, sql: sql) == nil
    }
}
#endif
