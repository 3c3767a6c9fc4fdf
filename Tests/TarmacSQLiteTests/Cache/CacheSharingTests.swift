import Dispatch
import GRDB
import HTTPTypes
import Tarmac
import TarmacCache
@_spi(TarmacRooms) import TarmacCore
import Testing

@testable import TarmacSQLite

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What processes that share a file owe each other, and what an older one has left.
@Suite("Shared SQLite caches", .timeLimit(.minutes(5)))
struct CacheSharingTests {
    private let files = CacheFiles()

    private func leave(_ body: Int, owner: Int64, in store: SQLiteCacheStore) async throws {
        try await store.database.write { connection in
            try connection.begin(body: Int64(body), owner: owner)
            _ = try connection.append(Data([1, 2, 3]), sum: 0, number: 0, toBody: Int64(body))
        }
    }

    @Test func whatTheDeadLeftHalfWrittenIsSweptWhoeverElseHasTheFileOpen() async throws {
        let one = try files.open()
        try await leave(7, owner: 99, in: one)
        #expect(FileManager.default.createFile(atPath: files.path + "-lease-abc", contents: nil))
        let other = try files.open()
        for table in ["cache_chunk", "cache_pending"] { #expect(try await files.count(other, table) == 0) }
        #expect(!files.names.contains { $0.contains("-lease-") })
    }

    @Test func whatTheLivingWriteIsLeftAlone() async throws {
        let one = try files.open()
        let writer = try #require(try await one.makeWriter(for: files.entry("/a")))
        try await writer.append(files.bytes(600_000))
        // Another store on the file, as in another process.
        let other = try files.open()
        #expect(try await files.count(other, "cache_pending") == 1)
        var entry = files.entry("/a")
        entry.bodyLength = 600_000
        #expect(try await writer.publish(entry))
        #expect(try await files.body(other, entry)?.count == 600_000)
    }

    @Test func bodiesOnTheirWayDoNotDriveOutWhatIsStored() async throws {
        let store = try files.open(limit: 4 << 20)
        for index in 0..<10 { _ = try await store.publish(files.entry("/\(index)"), body: files.bytes(50_000)) }
        var writers: [any CacheWriter] = []
        for index in 0..<8 {
            let writer = try #require(try await store.makeWriter(for: files.entry("/large/\(index)")))
            writers.append(writer)
            try? await writer.append(files.bytes(900_000))
        }
        #expect(try await store.statistics().entries == 10)
        for writer in writers { await writer.abort() }
        #expect(try await files.count(store, "cache_chunk") == 0)
    }

    @Test func tablesOfTheFirstVersionAreBroughtUpToDate() async throws {
        let entry = files.entry("/a")
        do {
            let database = try SQLiteDatabase(path: files.path, durability: .consistent)
            try DatabaseSchema(name: "cache", steps: Array(DatabaseSchema.cache.steps.prefix(1))).prepare(database)
            try await database.write { connection in
                let row = try NewCacheRow(entry, body: Bytes("a"), bodyNumber: nil, CacheKeyDigester()), key = entry.key
                let sql = """
                    INSERT INTO cache_entry
                        (id, place, variant, service, environment, principal, url, stored, used, size, length, head, body, body_number)
                    VALUES (?, ?, '', ?, ?, ?, ?, 0, 1, ?, 1, ?, ?, NULL)
                    """
                try connection.execute(
                    sql: sql,
                    arguments: [
                        Int64(bitPattern: entry.id), key.text, key.service, key.environment, key.principal, key.url, row.size, row.head, row.body,
                    ])
                try connection.execute(sql: "INSERT INTO cache_pending (body, bytes, begun) VALUES (7, 3, 0)")
            }
        }
        let store = try files.open()
        #expect(try await files.body(store, entry) == Bytes("a"))
        #expect(try await files.count(store, "cache_pending") == 0)
    }

    @Test func tablesOfALaterVersionAreLeftAlone() throws {
        let later = DatabaseSchema(name: "cache", steps: DatabaseSchema.cache.steps + ["CREATE TABLE cache_more (a INTEGER) STRICT"])
        try later.prepare(SQLiteDatabase(path: files.path))
        #expect(throws: TarmacError.self) { try files.open() }
    }

    @Test(arguments: ["https://s.example/100%", "https://s.example/a_", "https://s.example/[a-z]*"])
    func prefixesHaveNoWildcards(prefix: String) async throws {
        let store = try files.open()
        for path in ["/100%/x", "/100/x", "/a_b", "/acb", "/[a-z]*1", "/abc"] { _ = try await store.publish(files.entry(path), body: Bytes("x")) }
        #expect(try await store.remove(.urlPrefix(prefix)) == 1)
        #expect(try await store.statistics().entries == 5)
    }

    @Test func anInspectionChangesNothing() async throws {
        let store = try files.open(limit: 5 << 20)
        _ = try await store.publish(files.entry("/a"), body: Bytes("a"))
        let writer = try #require(try await store.makeWriter(for: files.entry("/b")))
        try await writer.append(files.bytes(600_000))
        let other = try SQLiteCacheStore(inspecting: files.path)
        #expect(try await other.statistics().limit == 5 << 20)
        #expect(try await other.list(.all, after: nil, limit: 10).count == 1)
        #expect(try await files.count(store, "cache_pending") == 1)
        await writer.abort()
        #expect(throws: TarmacError.self) { try SQLiteCacheStore(inspecting: files.folder.path + "/none.db") }
    }

    @Test func readingWaitsForNoWriter() async throws {
        let store = try files.open()
        let entry = files.entry("/a")
        _ = try await store.publish(entry, body: Bytes("a"))
        try await within {
            // The writer's connection is taken for as long as it takes.
            try await store.database.write { [store, files] _ in
                let found = Locked(false)
                let done = DispatchSemaphore(value: 0)
                // LIFETIME: awaited by the semaphore.
                Task.detached {
                    let body = try? await files.body(store, entry)
                    found.withLock { $0 = body == Bytes("a") }
                    done.signal()
                }
                done.wait()
                #expect(found.withLock { $0 })
            }
        }
    }
}
