import Foundation
import GRDB
import HTTPTypes
import Tarmac
import TarmacStreams
import TarmacTesting
import Testing

@testable import TarmacSQLite

/// Look-ups have a connection of their own; what others do to the file they see, and it keeps nothing open.
@Suite("Looks into a SQLite cache", .timeLimit(.minutes(5)))
struct CacheLookTests {
    private let files = CacheFiles()

    @Test func looksSeeWhatOthersHaveWrittenAndHowTheyChangedTheTables() async throws {
        let one = try files.open(), two = try files.open()
        let first = files.entry("/a"), second = files.entry("/b")
        #expect(try await one.lookup(first.key).records.isEmpty)
        try await two.publish(first, body: Bytes("a"))
        #expect(try await files.body(one, first) == Bytes("a"))
        try await two.database.pool.write { try $0.execute(sql: "ALTER TABLE cache_entry ADD COLUMN later INTEGER") }
        try await two.publish(second, body: Bytes("b"))
        #expect(try await files.body(one, second) == Bytes("b"))
        #expect(try await files.body(one, first) == Bytes("a"))
    }

    /// One who looks is in nobody's way.
    @Test func manyLookAtOnce() async throws {
        let store = try files.open(), entries = (0..<8).map { files.entry("/\($0)") }
        for entry in entries { try await store.publish(entry, body: Bytes(entry.key.url)) }
        try await withThrowingTaskGroup { [files] group in
            for round in 0..<400 {
                let entry = entries[round % 8]
                group.addTask {
                    let body = try await files.body(store, entry)
                    #expect(body == Bytes(entry.key.url))
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func aClosedFileIsNotLookedInto() async throws {
        let store = try files.open(), entry = files.entry("/a")
        try await store.publish(entry, body: Bytes("a"))
        _ = try await store.lookup(entry.key)
        try store.database.close()
        await #expect(throws: (any Error).self) { try await store.lookup(entry.key) }
        #expect(!files.names.contains { $0.hasSuffix("-wal") })
        #expect(try await files.body(try files.open(), entry) == Bytes("a"))
    }

    /// A process of an earlier version writes no sums: what it has changed is not taken for damaged.
    @Test func whatAnEarlierVersionRewritesHasNoSum() async throws {
        let store = try files.open()
        var entry = files.entry("/a")
        try await store.publish(entry, body: Bytes("a"))
        entry = try #require(try await store.lookup(entry.key).records.first).entry
        entry.headers[.contentType] = "text/html"
        let head = entry.encoded
        try await store.database.writeToTheEnd { try $0.execute(sql: "UPDATE cache_entry SET head = ?", arguments: [Data(head)]) }
        let lookup = try await store.lookup(entry.key)
        #expect(lookup.records.first?.entry.headers[.contentType] == "text/html" && !lookup.wasCorrupt)
    }

    /// A table of the app's own, whatever it is called, keeps the file from being removed as a cache.
    @Test func aTableOfTheAppsIsNoCache() throws {
        let store = try files.open()
        #expect(try store.database.pool.read { try $0.holdsOnlyCache() })
        try store.database.pool.write { try $0.execute(sql: "CREATE TABLE cache_settings (a)") }
        #expect(try store.database.pool.read { try !$0.holdsOnlyCache() })
    }

    /// What would be written into a file without a name would be gone with the process.
    @Test func nobodyMovesIntoAFileThatWasRemoved() throws {
        let database = try SQLiteDatabase(path: files.path)
        _ = try SQLiteCacheStore(database)
        #expect(database.removeFile())
        #expect(throws: TarmacError.self) { try DatabaseSchema.outbox.prepare(database) }
        try database.close()
    }

    /// A 304 that takes a secret out of the file takes the body with it: who reads that piece by piece gets all of a new one.
    @Test func aStreamIsReadToItsEndThoughItsEntryHasToGo() async throws {
        let time = ManualTime(date: CacheFiles.date), body = Bytes([UInt8](repeating: 7, count: 600_000))
        let stub = StubTransport { request in
            let isKnown = request.headers.contains(.ifNoneMatch)
            var headers: HTTPFields = [.cacheControl: "max-age=1", .eTag: "\"e\""]
            if isKnown { headers[.setCookie] = "a=b" }
            return Response(status: isKnown ? .notModified : .ok, headers: headers, body: .bytes(isKnown ? .empty : body), url: request.url)
        }
        let store = try files.open()
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
            ($0.cache, $0.cacheStore) = (.http, .store(store))
        }
        func read() async throws -> Int {
            try await client.stream(.get("/a", as: String.self)) { response in
                var count = 0
                for try await chunk in response.body { count += chunk.count }
                return count
            }
        }
        #expect(try await read() == body.count)
        try await client.cache.flush()
        time.advance(by: .seconds(5))
        #expect(try await read() == body.count)
        #expect(stub.requests.count == 3)
        await client.shutdown()
    }
}
