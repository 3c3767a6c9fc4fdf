#if SQLite
import GRDB
import TarmacCache
import TarmacCore

/// The tables of one store: the SQL that creates them, and the SQL of each later change.
///
/// ```swift
/// static let schema = DatabaseSchema(name: "cache", steps: ["CREATE TABLE cache_entry (…) STRICT"])
/// ```
/// Names of tables start with the store's name. A released step never changes; new ones are appended. Stores have
/// separate versions, because a file may hold the tables of any of them.
struct DatabaseSchema: Sendable {
    let name: String
    /// The first step creates the tables, and each other one changes them. The version is the number of executed steps.
    let steps: [String]

    /// Creates or updates the tables in one transaction.
    ///
    /// Throws `TarmacError(.storeFailed)` for tables of a later version.
    func prepare(_ database: SQLiteDatabase) throws(TarmacError) {
        if database.isRemoved {
            throw TarmacError(.storeFailed, "the file of \(database) was removed to make room", suggestion: "open the database anew")
        }
        do {
            let isNew = try database.pool.write { try update($0, database.path) == 0 }
            // Before this, the file may have held only a cache, and have been excluded from backups.
            if isNew, name != Self.cache.name { database.markForBackups(BackupExclusion()) }
        } catch { throw database.fault(error) }
    }

    /// Executes the missing steps, and returns the version before them. 0: there were no tables.
    func update(_ connection: Database, _ path: String) throws -> Int {
        let version = try self.version(connection)
        guard (0...steps.count).contains(version) else { throw unknown(version, path) }
        guard version < steps.count else { return version }
        let sql = "CREATE TABLE IF NOT EXISTS tarmac_schema (name TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL) STRICT, WITHOUT ROWID"
        try connection.execute(sql: sql)
        for step in steps[version...] { try connection.execute(sql: step) }
        try connection.execute(sql: "REPLACE INTO tarmac_schema (name, version) VALUES (?, ?)", arguments: [name, steps.count])
        return version
    }

    func version(_ connection: Database) throws -> Int {
        // Not `tableExists`, which remembers for the connection what another process may change.
        let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'tarmac_schema'"
        guard try Int.fetchOne(connection, sql: sql) != nil else { return 0 }
        return try Int.fetchOne(connection, sql: "SELECT version FROM tarmac_schema WHERE name = ?", arguments: [name]) ?? 0
    }

    /// Throws `TarmacError(.storeFailed)` unless the tables exist in the current version.
    func check(_ database: SQLiteDatabase) throws(TarmacError) {
        do {
            let version = try database.pool.read { try self.version($0) }
            guard (0...steps.count).contains(version) else { throw unknown(version, database.path) }
            if version == 0 { throw TarmacError(.storeFailed, "there is no \(name) in \(database.path)") }
            if version < steps.count {
                throw TarmacError(.storeFailed, "the tables \"\(name)\" in \(database.path) are of an older version", suggestion: "open it with the app first")
            }
        } catch { throw database.fault(error) }
    }

    private func unknown(_ version: Int, _ path: String) -> TarmacError {
        TarmacError(
            .storeFailed, "the tables \"\(name)\" in \(path) are of version \(version); this program knows \(steps.count)",
            suggestion: "update the program, or give it a file of its own")
    }
}

extension Database {
    /// Whether only a cache has tables here, and neither another store nor the app itself.
    func holdsOnlyCache() throws -> Bool {
        let sql = """
            SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*' AND name NOT IN
            ('tarmac_schema', 'cache_entry', 'cache_tag', 'cache_chunk', 'cache_pending', 'cache_total', 'cache_meta')
            """
        return try Int.fetchOne(self, sql: sql) == nil
    }
}
#endif
