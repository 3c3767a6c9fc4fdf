import Foundation
import GRDB
import HTTPTypes
import Tarmac
import TarmacCache
import TarmacCore
import Testing

@testable import TarmacSQLite

/// A folder of cache files, and what goes into them.
struct CacheFiles: Sendable {
    let folder = TemporaryFolder()
    var path: String { folder.path + "/cache.db" }
    static let date = Date(timeIntervalSince1970: 1_767_225_600)

    func open(limit: Int64 = 8 << 20, sealer: (any Sealer)? = nil, name: String = "cache.db", checksWhole: Bool = true) throws -> SQLiteCacheStore {
        try SQLiteCacheStore(
            SQLiteDatabase(path: "\(folder.path)/\(name)", durability: .consistent, checksWhole: checksWhole), limit: limit, sealer: sealer)
    }

    func entry(_ path: String, tags: Set<String> = []) -> CacheEntry {
        CacheEntry(
            key: CacheKey(service: "s", environment: "production", principal: "ann", url: "https://s.example\(path)"),
            headers: [.contentType: "text/plain"], requestDate: Self.date, responseDate: Self.date, tags: tags)
    }

    func bytes(_ count: Int, of byte: UInt8 = 1) -> Bytes { Bytes([UInt8](repeating: byte, count: count)) }

    func body(_ store: SQLiteCacheStore, _ entry: CacheEntry) async throws -> Bytes? {
        guard let record = try await store.lookup(entry.key).records.first else { return nil }
        if let body = record.body { return body }
        switch try await store.body(of: record.entry) {
        case .bytes(let bytes): return bytes
        case .stream(let stream): return try await stream.collect(upTo: .max)
        case nil: return nil
        }
    }

    func count(_ store: SQLiteCacheStore, _ table: String) async throws -> Int {
        try await store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    /// Of the connection that writes.
    func pragma(_ store: SQLiteCacheStore, _ text: String) throws {
        try store.database.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA \(text)") }
    }

    /// What is found of a text in the database and the files beside it.
    func holds(_ text: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { name in
            FileManager.default.contents(atPath: "\(folder.path)/\(name)")?.range(of: Data(text.utf8)) != nil
        }
    }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }
}
