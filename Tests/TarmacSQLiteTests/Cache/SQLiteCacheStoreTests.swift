import Foundation
import GRDB
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacSQLite

/// YTK-B2: metadata and body are never apart. YTK-B1: nobody reads what was stored for another.
@Suite("SQLite cache store", .timeLimit(.minutes(5)))
struct SQLiteCacheStoreTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/cache.db" }

    private func open(limit: Int64 = 8 << 20, sealer: (any Sealer)? = nil, path: String? = nil) throws -> SQLiteCacheStore {
        try SQLiteCacheStore(SQLiteDatabase(path: path ?? self.path, durability: .consistent), limit: limit, sealer: sealer)
    }

    private func entry(_ path: String, tags: Set<String> = []) -> CacheEntry {
        let date = Date(timeIntervalSince1970: 1_767_225_600)
        return CacheEntry(
            key: CacheKey(service: "s", environment: "production", principal: "ann", url: "https://s.example\(path)"),
            headers: [.contentType: "text/plain"], requestDate: date, responseDate: date, tags: tags)
    }

    private func body(_ store: SQLiteCacheStore, _ entry: CacheEntry) async throws -> Bytes? {
        guard let record = try await store.lookup(entry.key).records.first else { return nil }
        if let body = record.body { return body }
        switch try await store.body(of: record.entry) {
        case .bytes(let bytes): return bytes
        case .stream(let stream): return try await stream.collect(upTo: .max)
        case nil: return nil
        }
    }

    private func count(_ store: SQLiteCacheStore, _ table: String) async throws -> Int {
        try await store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    @Test(arguments: CacheStoreConformance.Case.allCases, [false, true])
    func conforms(name: CacheStoreConformance.Case, isSealed: Bool) async throws {
        let folder = folder
        try await CacheStoreConformance.run(name) { limit in
            try open(limit: Int64(limit), sealer: isSealed ? XORSealer() : nil, path: "\(folder.path)/\(UInt64.random(in: .min ... .max)).db")
        }
    }

    @Test func whatIsStoredOutlivesTheStore() async throws {
        let small = entry("/small"), large = entry("/large"), bytes = Bytes([UInt8](repeating: 7, count: 900_000))
        do {
            let store = try open()
            #expect(try await store.publish(small, body: Bytes("small")))
            #expect(try await store.publish(large, body: bytes))
        }
        let store = try open()
        #expect(try await body(store, small) == Bytes("small"))
        #expect(try await body(store, large) == bytes)
        #expect(try await store.statistics().entries == 2)
    }

    @Test func whatADeadProcessLeftHalfWrittenIsSwept() async throws {
        do {
            let store = try open()
            try await store.database.write { connection in
                try connection.execute(sql: "INSERT INTO cache_pending VALUES (7, 3, CAST(strftime('%s', 'now') AS REAL))")
                try connection.execute(sql: "INSERT INTO cache_chunk VALUES (7, 0, x'010203')")
            }
        }
        let store = try open()
        #expect(try await count(store, "cache_chunk") == 0)
        #expect(try await count(store, "cache_pending") == 0)
    }

    @Test func aWriterOfAnotherStoreOnTheFileIsLeftAlone() async throws {
        let one = try open()
        let writer = try #require(try await one.makeWriter(for: entry("/a")))
        try await writer.append(Bytes([UInt8](repeating: 1, count: 600_000)))
        let other = try open()
        var entry = entry("/a")
        entry.bodyLength = 600_000
        #expect(try await writer.publish(entry))
        #expect(try await body(other, entry)?.count == 600_000)
    }

    @Test func removedAndReplacedBodiesLeaveNoChunksAndNoTags() async throws {
        let store = try open()
        let bytes = Bytes([UInt8](repeating: 1, count: 600_000))
        for _ in 0..<3 { _ = try await store.publish(entry("/a", tags: ["x", "y"]), body: bytes) }
        #expect(try await count(store, "cache_chunk") == 3)
        #expect(try await count(store, "cache_tag") == 2)
        #expect(try await store.remove(.tag("x")) == 1)
        for table in ["cache_entry", "cache_chunk", "cache_tag", "cache_pending"] { #expect(try await count(store, table) == 0, "\(table)") }
        #expect(try await store.statistics().bytes == 0)
    }

    @Test func nothingStandsInASealedFileInTheClear() async throws {
        let secret = "very-secret-word"
        do {
            let store = try open(sealer: XORSealer())
            var entry = entry("/\(secret)", tags: [secret])
            entry.headers[.eTag] = secret
            entry.variant = secret
            _ = try await store.publish(entry, body: Bytes(secret))
            _ = try await store.publish(self.entry("/large"), body: Bytes(String(repeating: secret, count: 20_000)))
            #expect(try await store.remove(.urlPrefix("https://s.example/very")) == 1)
            _ = try await store.publish(entry, body: Bytes(secret))
            try store.database.close()
        }
        for suffix in ["", "-wal"] {
            guard let file = FileManager.default.contents(atPath: path + suffix) else { continue }
            #expect(file.range(of: Data(secret.utf8)) == nil, "\(suffix)")
        }
        let store = try open(sealer: XORSealer())
        #expect(try await body(store, entry("/large"))?.count == 20_000 * secret.utf8.count)
    }

    @Test(arguments: [(false, true), (true, false)])
    func aFileOfAnotherKeyIsEmptied(before: Bool, after: Bool) async throws {
        do { _ = try await open(sealer: before ? XORSealer() : nil).publish(entry("/a"), body: Bytes("a")) }
        let store = try open(sealer: after ? XORSealer() : nil)
        #expect(try await store.lookup(entry("/a").key).records.isEmpty)
        #expect(try await store.statistics().entries == 0)
        #expect(try await store.publish(entry("/a"), body: Bytes("b")))
        #expect(try await body(store, entry("/a")) == Bytes("b"))
    }

    @Test func aDamagedEntryIsThrownAwayAndSaid() async throws {
        let store = try open()
        _ = try await store.publish(entry("/a"), body: Bytes("a"))
        try await store.database.write { try $0.execute(sql: "UPDATE cache_entry SET head = x'00010203'") }
        let lookup = try await store.lookup(entry("/a").key)
        #expect(lookup.wasCorrupt && lookup.records.isEmpty)
        #expect(store.takeNotices().map(\.kind) == [.corrupt])
        #expect(store.takeNotices().isEmpty)
        #expect(try await store.statistics().corruptions == 1)
        #expect(try await store.statistics().entries == 0)
    }

    @Test func aFailureIsToldOnceUntilSomethingWorksAgain() async throws {
        let store = try open()
        _ = try await store.publish(entry("/a"), body: Bytes("a"))
        try await store.database.write { try $0.execute(sql: "CREATE TRIGGER full BEFORE INSERT ON cache_entry BEGIN SELECT RAISE(ABORT, 'disk full'); END") }
        await #expect(throws: TarmacError.self) { try await store.publish(entry("/b"), body: Bytes("b")) }
        #expect(try await store.publish(entry("/c"), body: Bytes("c")) == false)
        try await store.database.write { try $0.execute(sql: "DROP TRIGGER full") }
        #expect(try await store.publish(entry("/d"), body: Bytes("d")))
        #expect(try await body(store, entry("/a")) == Bytes("a"))
    }

    @Test func usesAreWrittenManyAtATimeAndOutliveTheStore() async throws {
        let limit: Int64 = 1 << 20
        do {
            let store = try open(limit: limit)
            for index in 0..<8 { _ = try await store.publish(entry("/\(index)"), body: Bytes([UInt8](repeating: 1, count: 100_000))) }
            let first = try #require(try await store.lookup(entry("/0").key).records.first)
            store.touch(first.entry)
            try await store.flush()
        }
        let store = try open(limit: limit)
        for index in 8..<14 { _ = try await store.publish(entry("/\(index)"), body: Bytes([UInt8](repeating: 1, count: 100_000))) }
        #expect(try await store.lookup(entry("/0").key).records.count == 1)
        #expect(try await store.lookup(entry("/1").key).records.isEmpty)
    }

    @Test func aSmallerLimitIsKeptFromTheStart() async throws {
        do {
            let store = try open()
            for index in 0..<20 { _ = try await store.publish(entry("/\(index)"), body: Bytes([UInt8](repeating: 1, count: 60_000))) }
        }
        #expect(try await open(limit: 500_000).statistics().bytes <= 500_000)
    }
}

/// Hides bytes without any cryptography, and refuses what was sealed for another context.
private struct XORSealer: Sealer {
    func seal(_ plaintext: Bytes, context: Bytes) throws -> Bytes {
        let mark = Bytes(context.array.map { $0 ^ 0x5A })
        return Bytes([UInt8(truncatingIfNeeded: mark.count)] + mark.array + plaintext.array.map { $0 ^ 0xA5 })
    }

    func open(_ sealed: Bytes, context: Bytes) throws -> Bytes {
        let bytes = sealed.array
        guard let length = bytes.first.map(Int.init), bytes.count > length, bytes[1...length].elementsEqual(context.array.map { $0 ^ 0x5A }) else {
            throw TarmacError(.decryptionFailed, "sealed for another context")
        }
        return Bytes(bytes[(length + 1)...].map { $0 ^ 0xA5 })
    }
}
