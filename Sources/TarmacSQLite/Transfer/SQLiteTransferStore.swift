#if SQLite
import GRDB
public import TarmacCore
public import TarmacTransfer

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store that keeps the records of a ledger in a SQLite file, so that they survive the end of the process.
///
/// ```swift
/// let database = try SQLiteDatabase(path: folder + "/shop.db")
/// let client = Client(transport: .urlSession) { $0.transferLedger = try? TransferLedger(SQLiteTransferStore(database)) }
/// ```
/// Several processes may share the file. The lock of a partial file decides which process writes it.
public final class SQLiteTransferStore: TransferStore, CustomStringConvertible {
    private let database: SQLiteDatabase

    /// Creates a store, and its table if it is missing. Throws `TarmacError(.storeFailed)`.
    public init(_ database: SQLiteDatabase) throws(TarmacError) {
        self.database = database
        try DatabaseSchema.transfers.prepare(database)
    }

    public var description: String { "transfers in \(database)" }

    public func record(for key: String) async throws -> Data? {
        try await database.read { try Data.fetchOne($0, sql: "SELECT record FROM transfer_record WHERE key = ?", arguments: [key]) }
    }

    // A cancelled download still saves and removes its record.
    public func save(_ record: Data, for key: String) async throws {
        try await database.writeToTheEnd {
            try $0.execute(sql: "REPLACE INTO transfer_record (key, record) VALUES (?, ?)", arguments: [key, record])
        }
    }

    public func remove(_ key: String) async throws {
        try await database.writeToTheEnd { try $0.execute(sql: "DELETE FROM transfer_record WHERE key = ?", arguments: [key]) }
    }

    public func keys() async throws -> [String] {
        try await database.read { try String.fetchAll($0, sql: "SELECT key FROM transfer_record ORDER BY key") }
    }
}
#endif
