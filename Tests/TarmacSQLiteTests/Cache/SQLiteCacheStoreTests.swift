import Foundation
import GRDB
import HTTPTypes
import Tarmac
import TarmacCache
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacSQLite

/// YTK-B2: metadata and body are never apart. YTK-B1: nobody reads what was stored for another.
@Suite("SQLite cache store", .timeLimit(.minutes(5)))
struct SQLiteCacheStoreTests {
    private let files = CacheFiles()

    // YTK-B2: writers and readers at once never mix an entry with the body of another (writersAtOnceNeverMix, readersOfTheOldReadToItsEnd).
    // YTK-38: size, limit and clearing of a store in a database (statisticsCount, removalBySelection).
    @Test(arguments: CacheStoreConformance.Case.allCases, [false, true])
    func conforms(name: CacheStoreConformance.Case, isSealed: Bool) async throws {
        let files = files
        try await CacheStoreConformance.run(name) { limit in
            try files.open(limit: Int64(limit), sealer: isSealed ? XORSealer() : nil, name: "\(UInt64.random(in: .min ... .max)).db")
        }
    }

    @Test func whatIsStoredOutlivesTheStore() async throws {
        let small = files.entry("/small"), large = files.entry("/large"), bytes = Bytes([UInt8](repeating: 7, count: 900_000))
        do {
            let store = try files.open()
            #expect(try await store.publish(small, body: Bytes("small")))
            #expect(try await store.publish(large, body: bytes))
        }
        let store = try files.open()
        #expect(try await files.body(store, small) == Bytes("small"))
        #expect(try await files.body(store, large) == bytes)
        #expect(try await store.statistics().entries == 2)
    }

    /// The total is only a number in a file; that of all stores is a sum.
    @Test(arguments: [Int64.max, .min]) func aTotalThatNoCacheHasEndsNothing(total: Int64) async throws {
        let store = try files.open()
        _ = try await store.publish(files.entry("/a"), body: Bytes("a"))
        try await store.database.pool.write { try $0.execute(sql: "UPDATE cache_total SET entries = ?, bytes = ?", arguments: [total, total]) }
        let stub = StubTransport { _ in .json("1", headers: [.cacheControl: "max-age=60"]) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) { $0.cache = .http }
        _ = try await client.get("/a", as: Int.self)
        _ = try await client.get("/b", as: Int.self) { $0.cacheStore = .store(store) }
        let sum = try await client.cache.statistics()
        #expect(sum.entries >= 1 && sum.bytes >= 0)
    }

    @Test func removedAndReplacedBodiesLeaveNoChunksAndNoTags() async throws {
        let store = try files.open()
        let bytes = Bytes([UInt8](repeating: 1, count: 600_000))
        for _ in 0..<3 { _ = try await store.publish(files.entry("/a", tags: ["x", "y"]), body: bytes) }
        #expect(try await files.count(store, "cache_chunk") == 3)
        #expect(try await files.count(store, "cache_tag") == 2)
        #expect(try await store.remove(.tag("x")) == 1)
        for table in ["cache_entry", "cache_chunk", "cache_tag", "cache_pending"] { #expect(try await files.count(store, table) == 0, "\(table)") }
        #expect(try await store.statistics().bytes == 0)
    }

    // YTK-25: damaged metadata is told as corrupt, as damaged data is.
    @Test func aDamagedEntryIsThrownAwayAndSaid() async throws {
        let store = try files.open()
        _ = try await store.publish(files.entry("/a"), body: Bytes("a"))
        try await store.database.write { try $0.execute(sql: "UPDATE cache_entry SET head = x'00010203'") }
        let lookup = try await store.lookup(files.entry("/a").key)
        #expect(lookup.wasCorrupt && lookup.records.isEmpty)
        #expect(store.takeNotices().map(\.kind) == [.corrupt])
        #expect(store.takeNotices().isEmpty)
        try await store.flush()
        #expect(try await store.statistics().corruptions == 1)
        #expect(try await store.statistics().entries == 0)
    }

    enum Flip: CaseIterable {
        case head, body, chunk, stream
        var count: Int { [.head: 1000, .body: 1000, .chunk: 100_000, .stream: 600_000][self] ?? 0 }
        /// Turns over the last bit of what is stored.
        func sql(_ id: UInt64) -> String {
            let (table, column) = self == .head ? ("cache_entry", "head") : self == .body ? ("cache_entry", "body") : ("cache_chunk", "bytes")
            let row = table == "cache_entry" ? "id = \(Int64(bitPattern: id))" : "number = (SELECT max(number) FROM cache_chunk)"
            return """
                UPDATE \(table) SET \(column) = CAST(substr(\(column), 1, length(\(column)) - 1) || \
                CASE substr(\(column), -1) WHEN x'01' THEN x'00' ELSE x'01' END AS BLOB) WHERE \(row)
                """
        }
    }

    /// SQLite does not look at what it stores: a flipped bit would be delivered. YTK-B2. YTK-25: of metadata (head) as of data it is told as
    /// corrupt.
    @Test(arguments: Flip.allCases, [nil, XORSealer()])
    func aFlippedBitIsNotDelivered(flip: Flip, sealer: XORSealer?) async throws {
        let store = try files.open(sealer: sealer), entry = files.entry("/a")
        _ = try await store.publish(entry, body: files.bytes(flip.count))
        #expect(try await files.body(store, entry)?.count == flip.count)
        // A disk asks no trigger.
        try await store.database.write { try $0.execute(sql: "DROP TRIGGER cache_entry_rewritten; " + flip.sql(entry.id)) }
        if flip == .stream {
            let error = await #expect(throws: TarmacError.self) { try await files.body(store, entry) }
            #expect(error?.code == .truncatedBody)
        } else {
            #expect(try await files.body(store, entry) == nil)
        }
        #expect(store.takeNotices().map(\.kind) == [.corrupt])
        try await store.flush()
        #expect(try await store.statistics().corruptions == 1)
        #expect(try await store.statistics().entries == 0)
    }

    @Test func manyDamagedEntriesAreToldOnceAndCounted() async throws {
        let store = try files.open()
        for index in 0..<5 { _ = try await store.publish(files.entry("/\(index)"), body: Bytes("a")) }
        try await store.database.write { try $0.execute(sql: "UPDATE cache_entry SET body = x'00'") }
        for index in 0..<5 {
            let lookup = try await store.lookup(files.entry("/\(index)").key)
            #expect(lookup.wasCorrupt && lookup.records.isEmpty)
        }
        #expect(store.takeNotices().map(\.kind) == [.corrupt])
        #expect(try await store.statistics().corruptions == 5)
    }

    @Test func usesAreWrittenManyAtATimeAndOutliveTheStore() async throws {
        let limit: Int64 = 1 << 20
        do {
            let store = try files.open(limit: limit)
            for index in 0..<8 { _ = try await store.publish(files.entry("/\(index)"), body: Bytes([UInt8](repeating: 1, count: 100_000))) }
            let first = try #require(try await store.lookup(files.entry("/0").key).records.first)
            store.touch(first.entry)
            try await store.flush()
        }
        let store = try files.open(limit: limit)
        for index in 8..<14 { _ = try await store.publish(files.entry("/\(index)"), body: Bytes([UInt8](repeating: 1, count: 100_000))) }
        #expect(try await store.lookup(files.entry("/0").key).records.count == 1)
        #expect(try await store.lookup(files.entry("/1").key).records.isEmpty)
    }

    @Test func aUseSoonAfterTheLastIsNotWrittenWhileNothingMakesRoom() async throws {
        let date = Locked(CacheFiles.date)
        let store = try SQLiteCacheStore(
            SQLiteDatabase(path: files.path, durability: .consistent), limit: 8 << 20, maximumAge: nil, sealer: nil, clock: { date.withLock { $0 } })
        let entry = files.entry("/a")
        _ = try await store.publish(entry, body: Bytes("a"))
        func used(after seconds: Double) async throws -> Int64? {
            date.withLock { $0 += seconds }
            store.touch(entry)
            try await store.noteUses()
            return try await store.database.read { try Int64.fetchOne($0, sql: "SELECT used FROM cache_entry") }
        }
        let soon = try await used(after: 60), later = try await used(after: 541)
        #expect(soon == Int64(CacheFiles.date.timeIntervalSince1970 * 1e6))
        #expect(later == Int64((CacheFiles.date.timeIntervalSince1970 + 601) * 1e6))
        store.touch(entry)
        try await store.flush()
        #expect(try await store.database.read { try Int64.fetchOne($0, sql: "SELECT used FROM cache_entry") } == later.map { $0 + 1 })
    }

    /// What was used in a time to come does not drive out all that is new until then.
    @Test func aClockThatIsSetBackDoesNotFreezeWhatIsStored() async throws {
        let limit: Int64 = 1 << 20, files = files
        func open(at date: Date) throws -> SQLiteCacheStore {
            try SQLiteCacheStore(
                SQLiteDatabase(path: files.path, durability: .consistent), limit: limit, maximumAge: nil, sealer: nil, clock: { date })
        }
        do {
            let store = try open(at: CacheFiles.date + 365 * 86_400)
            for index in 0..<10 { _ = try await store.publish(files.entry("/old/\(index)"), body: files.bytes(100_000)) }
        }
        let store = try open(at: CacheFiles.date)
        for index in 0..<4 { _ = try await store.publish(files.entry("/new/\(index)"), body: files.bytes(100_000)) }
        for index in 0..<4 { #expect(try await store.lookup(files.entry("/new/\(index)").key).records.count == 1, "\(index)") }
    }

    /// What was not used for the age goes with the next that is stored.
    @Test func whatNobodyUsesForLongGoes() async throws {
        let start = CacheFiles.date, day = 86_400.0, date = Locked(start), files = files
        let open: @Sendable (Duration?) throws -> SQLiteCacheStore = { age in
            try SQLiteCacheStore(
                SQLiteDatabase(path: files.path, durability: .consistent), limit: 8 << 20, maximumAge: age, sealer: nil,
                clock: { date.withLock { $0 } })
        }
        do {
            let store = try open(.seconds(10 * 86_400))
            for path in ["/used", "/unused"] { _ = try await store.publish(files.entry(path), body: Bytes("body")) }
            let used = try #require(try await store.lookup(files.entry("/used").key).records.first)
            date.withLock { $0 = start + 9 * day }
            store.touch(used.entry)
            date.withLock { $0 = start + 11 * day }
            // Reading removes nothing.
            #expect(try await store.lookup(files.entry("/unused").key).records.count == 1)
            _ = try await store.publish(files.entry("/new"), body: Bytes("new"))
            #expect(try await store.lookup(files.entry("/unused").key).records.isEmpty)
            #expect(try await store.lookup(files.entry("/used").key).records.count == 1)
            #expect(try await store.statistics().evictions == 1)
        }
        date.withLock { $0 = start + 20 * day }
        do { #expect(try await open(nil).statistics().entries == 2) }
        let store = try open(.seconds(10 * 86_400))
        _ = try await store.publish(files.entry("/more"), body: Bytes("more"))
        #expect(try await store.lookup(files.entry("/used").key).records.isEmpty)
        #expect(try await store.statistics().entries == 2)
    }

    // YTK-32: of a store in a database too: after a restart `updates` begins with the last answer. `cached` knows the newest
    // answers, and reads no file.
    @Test func theLastAnswerIsShownFirstAfterARestart() async throws {
        let count = Locked(0)
        let stub = StubTransport { _ in .text("\(count.withLock { $0 += 1; return $0 })") }
        for expected in [["1"], ["1", "2"]] {
            let store = try files.open()
            let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
                ($0.cache, $0.cacheStore) = (.ttl(.seconds(180)), .store(store))
            }
            #expect(client.cached(.get("/a", as: String.self)) == nil)
            var seen: [String] = []
            for try await update in client.updates(.get("/a", as: String.self)) { seen.append(update.value) }
            #expect(seen == expected)
            try await client.cache.flush()
            #expect(client.cached(.get("/a", as: String.self)) == expected.last)
            await client.shutdown()
        }
    }

    /// YTK-31: each time it is opened, and not what an outbox in the same file may lose.
    @Test func backupsLeaveItOutUnlessAnOutboxIsInIt() throws {
        let marks = Locked<[String: Bool]>([:]), path = files.path
        let backups = BackupExclusion { path, isExcluded in marks.withLock { $0[path] = isExcluded } }
        let database = try SQLiteDatabase(path: path)
        func open() throws -> [String: Bool] {
            marks.withLock { $0 = [:] }
            _ = try SQLiteCacheStore(database, limit: 1 << 20, maximumAge: nil, sealer: nil, backups: backups, clock: { CacheFiles.date })
            return marks.withLock { $0 }
        }
        let named = ["", "-wal", "-shm", "-reserve"].map { path + $0 }.filter(FileManager.default.fileExists)
        #expect(named.count >= 3)
        #expect(try open() == named.reduce(into: [:]) { $0[$1] = true })
        #expect(try open().values.allSatisfy(\.self))
        try DatabaseSchema.outbox.prepare(database)
        #expect(try open() == named.reduce(into: [:]) { $0[$1] = false })
    }

    /// A lookup brings all of a key: without a bound, an answer that varies by a field of each request's own would fill the memory.
    @Test func variantsOfOneKeyAreBounded() async throws {
        let store = try files.open()
        for index in 0..<100 {
            var entry = files.entry("/a")
            (entry.variant, entry.responseDate) = ("\(index)", CacheFiles.date + Double(index))
            #expect(try await store.publish(entry, body: Bytes("a")))
        }
        let variants = try await store.lookup(files.entry("/a").key).records.map(\.entry.variant)
        #expect(Set(variants) == Set((36..<100).map(String.init)))
        #expect(try await store.statistics().entries == 64)
    }

    // YTK-B3: the store in a database has a limit too.
    @Test func aSmallerLimitIsKeptFromTheStart() async throws {
        do {
            let store = try files.open()
            for index in 0..<20 { _ = try await store.publish(files.entry("/\(index)"), body: Bytes([UInt8](repeating: 1, count: 60_000))) }
        }
        let store = try files.open(limit: 500_000)
        #expect(try await store.statistics().bytes <= 500_000)
        // And while it is written.
        for index in 20..<40 {
            #expect(try await store.publish(files.entry("/\(index)"), body: Bytes([UInt8](repeating: 1, count: 60_000))))
            #expect(try await store.statistics().bytes <= 500_000)
        }
        #expect(try await store.statistics().evictions > 0)
        #expect(try await store.remove(.all) > 0)
        #expect(try await store.statistics().entries == 0)
        // Who says no limit has one.
        let unlimited = try SQLiteCacheStore(SQLiteDatabase(path: files.folder.path + "/other.db", durability: .consistent))
        #expect(unlimited.limit == 200 << 20)
    }
}
