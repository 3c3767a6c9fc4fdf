import GRDB
import HTTPTypes
import Tarmac
import Testing

@testable import TarmacSQLite

/// A sealed cache tells nothing to whoever reads the file, and a key that is gone costs what it sealed.
@Suite("Sealed SQLite caches", .timeLimit(.minutes(5)))
struct CacheSealTests {
    private let files = CacheFiles()

    @Test func nothingStandsInASealedFileInTheClear() async throws {
        let secret = "very-secret-word"
        do {
            let store = try files.open(sealer: XORSealer())
            var entry = files.entry("/\(secret)", tags: [secret])
            entry.headers[.eTag] = secret
            entry.variant = secret
            _ = try await store.publish(entry, body: Bytes(secret))
            _ = try await store.publish(files.entry("/large"), body: Bytes(String(repeating: secret, count: 20_000)))
            #expect(try await store.remove(.urlPrefix("https://s.example/very")) == 1)
            _ = try await store.publish(entry, body: Bytes(secret))
            for text in [secret, "s.example", "production", "ann"] { #expect(try !files.holds(text), "\(text), while it is open") }
            try store.database.close()
        }
        for text in [secret, "s.example", "production"] { #expect(try !files.holds(text), "\(text)") }
        let store = try files.open(sealer: XORSealer())
        #expect(try await files.body(store, files.entry("/large"))?.count == 20_000 * secret.utf8.count)
    }

    @Test func whatWasInTheClearDoesNotStayWhenItIsSealed() async throws {
        let secret = "very-secret-word"
        do {
            let store = try files.open()
            for index in 0..<50 { _ = try await store.publish(files.entry("/\(index)"), body: Bytes(String(repeating: secret, count: 500))) }
            #expect(try files.holds(secret))
        }
        let store = try files.open(sealer: XORSealer())
        #expect(try await store.statistics().entries == 0)
        #expect(try !files.holds(secret))
    }

    @Test(arguments: [(false, true), (true, false)])
    func aFileOfAnotherKeyIsEmptied(before: Bool, after: Bool) async throws {
        do { _ = try await files.open(sealer: before ? XORSealer() : nil).publish(files.entry("/a"), body: Bytes("a")) }
        let store = try files.open(sealer: after ? XORSealer() : nil)
        #expect(try await store.lookup(files.entry("/a").key).records.isEmpty)
        #expect(try await store.statistics().entries == 0)
        #expect(try await store.publish(files.entry("/a"), body: Bytes("b")))
        #expect(try await files.body(store, files.entry("/a")) == Bytes("b"))
    }

    @Test func aKeyIsReplacedWithoutLossAndPutAwayWithoutAFault() async throws {
        let old = files.entry("/old"), new = files.entry("/new")
        do { _ = try await files.open(sealer: XORSealer(keys: [1])).publish(old, body: Bytes("old")) }
        do {
            let store = try files.open(sealer: XORSealer(keys: [2, 1]))
            #expect(try await files.body(store, old) == Bytes("old"))
            _ = try await store.publish(new, body: Bytes("new"))
        }
        let store = try files.open(sealer: XORSealer(keys: [2]))
        let lookup = try await store.lookup(old.key)
        #expect(lookup.records.isEmpty && !lookup.wasCorrupt)
        #expect(try await files.body(store, new) == Bytes("new"))
        #expect(store.takeNotices().isEmpty)
        try await store.flush()
        #expect(try await store.statistics().entries == 1)
        #expect(try await store.statistics().corruptions == 0)
    }

    @Test func whatIsSealedForOneEntryIsNotReadAsAnothers() async throws {
        let store = try files.open(sealer: XORSealer())
        let one = files.entry("/1"), other = files.entry("/2")
        _ = try await store.publish(one, body: Bytes("one"))
        _ = try await store.publish(other, body: Bytes("other"))
        let ids = (Int64(bitPattern: one.id), Int64(bitPattern: other.id))
        try await store.database.write { connection in
            try connection.execute(
                sql: "UPDATE cache_entry SET body = (SELECT body FROM cache_entry WHERE id = ?) WHERE id = ?", arguments: [ids.1, ids.0])
        }
        #expect(try await store.lookup(one.key).records.isEmpty)
        #expect(try await files.body(store, other) == Bytes("other"))
    }

    @Test func aFileWithoutItsKeyIsCountedAndRemovedAsAWhole() async throws {
        do { _ = try await files.open(sealer: XORSealer()).publish(files.entry("/a"), body: Bytes("a")) }
        let store = try SQLiteCacheStore(inspecting: files.path)
        #expect(store.isShut)
        #expect(try await store.statistics().entries == 1)
        #expect(try await store.list(.all, after: nil, limit: 10).isEmpty)
        await #expect(throws: TarmacError.self) { try await store.remove(.urlPrefix("https://")) }
        #expect(try await store.statistics().entries == 1)
        #expect(try await store.remove(.all) == 1)
    }
}
