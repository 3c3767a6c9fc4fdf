import GRDB
import HTTPTypes
import Tarmac
import TarmacCache
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacSQLite

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A disk that is full, a file that cannot be changed or is damaged: calls go on uncached, one event tells, and nothing hangs.
@Suite("Faults of a SQLite cache", .timeLimit(.minutes(5)))
struct CacheFaultTests {
    private let files = CacheFiles()
    private let calls = CacheCalls()

    @Test func aFullDiskIsToldOnceAndOnceThatItIsOver() async throws {
        try await within {
            let store = try files.open(), client = calls.client(store)
            #expect(try await calls.get(client, "/2000/kept") == .network)
            try await client.cache.flush()
            #expect(try await calls.get(client, "/2000/kept") == .cache)
            try files.pragma(store, "max_page_count = 1")
            for round in 0..<5 {
                // What is stored already is used, what is not goes on uncached; large bodies and small ones.
                #expect(try await calls.get(client, "/2000/kept") == .cache)
                for size in [40_000, 400_000, 100] { #expect(try await calls.get(client, "/\(size)/\(round)") == .network) }
                store.touch(files.entry("/\(round)"))
                try? await client.cache.flush()
            }
            #expect(calls.notices == [.unwritable])
            try files.pragma(store, "max_page_count = 100000")
            #expect(try await calls.get(client, "/2000/kept") == .cache)
            #expect(calls.notices == [.unwritable])
            for _ in 0..<2 { _ = try await calls.get(client, "/400000/after") }
            try await client.cache.flush()
            // No further call is needed to tell.
            #expect(calls.notices == [.unwritable, .recovered])
            #expect(try await calls.get(client, "/400000/after") == .cache)
            await client.shutdown()
        }
    }

    /// A full disk refuses what need not be written, too.
    @Test func openingAFileThatIsInOrderWritesNothing() throws {
        let first = try files.open()
        let log = files.path + "-wal", before = FileManager.default.contents(atPath: log)
        let second = try files.open()
        #expect(before != nil && FileManager.default.contents(atPath: log) == before)
        withExtendedLifetime((first, second)) {}
    }

    @Test(arguments: [nil, XORSealer()])
    func aFileThatCannotBePutInOrderIsUsedAllTheSame(sealer: XORSealer?) async throws {
        try await within {
            let before = calls.client(try files.open(sealer: sealer))
            _ = try await calls.get(before, "/100/kept")
            await before.shutdown()
            let writer = try files.open(sealer: sealer)
            try await writer.database.write { connection in
                for change in ["INSERT", "DELETE"] {
                    try connection.execute(
                        sql: "CREATE TRIGGER full_\(change) BEFORE \(change) ON cache_meta BEGIN SELECT RAISE(FAIL, 'no room'); END")
                }
            }
            // Another limit would be written down.
            let client = calls.client(try files.open(limit: 4 << 20, sealer: sealer))
            #expect(try await calls.get(client, "/100/kept") == .cache)
            #expect(calls.notices == [.unwritable])
            // What must be forgotten first is of no use.
            #expect(throws: TarmacError.self) { try files.open(sealer: sealer == nil ? XORSealer() : nil) }
            await client.shutdown()
        }
    }

    @Test func aFileThatCannotBeChangedIsToldOnce() async throws {
        try await within {
            let store = try files.open(), client = calls.client(store)
            _ = try await calls.get(client, "/100/kept")
            try await client.cache.flush()
            try files.pragma(store, "query_only = 1")
            for round in 0..<5 {
                #expect(try await calls.get(client, "/100/\(round)") == .network)
                #expect(try await calls.get(client, "/100/kept") == .cache)
            }
            try? await client.cache.flush()
            #expect(calls.notices == [.unwritable])
            try files.pragma(store, "query_only = 0")
            for _ in 0..<2 { _ = try await calls.get(client, "/100/after") }
            try await client.cache.flush()
            #expect(try await calls.get(client, "/100/after") == .cache)
            #expect(calls.notices == [.unwritable, .recovered])
            await client.shutdown()
        }
    }

    /// RFC 9111 §4.4: what a change has invalidated is not shown, whether or not it could be removed.
    @Test func whatCannotBeRemovedIsNotShown() async throws {
        try await within {
            let store = try files.open(), client = calls.client(store)
            _ = try await calls.get(client, "/100/kept")
            _ = try await calls.get(client, "/100/other")
            try await client.cache.flush()
            try files.pragma(store, "query_only = 1")
            for _ in 0..<3 { _ = try await client.post("/100/kept") }
            #expect(try await calls.get(client, "/100/kept") == .network)
            #expect(try await calls.get(client, "/100/other") == .cache)
            await #expect(throws: TarmacError.self) { try await client.cache.flush() }
            #expect(calls.notices == [.unwritable])
            await #expect(throws: TarmacError.self) { try await client.cache.removeAll() }
            await #expect(throws: TarmacError.self) { try await client.cache.removeAll() }
            #expect(try await calls.get(client, "/100/other") == .network)
            #expect(try await store.list(.all, after: nil, limit: 10).isEmpty)
            await #expect(throws: TarmacError.self) { try await client.cache.flush() }
            #expect(calls.notices == [.unwritable])
            try files.pragma(store, "query_only = 0")
            try await client.cache.flush()
            #expect(try await store.statistics().entries == 0)
            await client.shutdown()
        }
    }

    /// An older answer than one that could not be stored is not used in its place.
    @Test func whatCouldNotBeReplacedIsNotShown() async throws {
        try await within {
            let store = try files.open()
            let old = files.entry("/a"), new = files.entry("/a")
            _ = try await store.publish(old, body: Bytes("old"))
            try files.pragma(store, "query_only = 1")
            await #expect(throws: TarmacError.self) { try await store.publish(new, body: Bytes("new")) }
            #expect(try await store.lookup(old.key).records.isEmpty)
            try files.pragma(store, "query_only = 0")
            #expect(try await store.publish(new, body: Bytes("new")))
            #expect(try await files.body(store, new) == Bytes("new"))
        }
    }

    /// A file that is damaged while nobody has it open.
    private func damage() throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: files.path))
        // The head and the schema are whole.
        bytes.replaceSubrange(bytes.count / 4..<bytes.count, with: Data(repeating: 0xE5, count: bytes.count - bytes.count / 4))
        try bytes.write(to: URL(fileURLWithPath: files.path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: files.path)
    }

    @Test func aDamagedFileIsToldOnceAndMovedAsideTheNextTime() async throws {
        try await within {
            do {
                let store = try files.open()
                for index in 0..<300 { _ = try await store.publish(files.entry("/\(index)"), body: files.bytes(3000)) }
                try store.database.close()
            }
            try damage()
            do {
                let store = try files.open(checksWhole: false), client = calls.client(store)
                for index in 0..<60 {
                    #expect(try await calls.get(client, "/3000/\(index % 20)") == .network)
                    try? await client.cache.flush()
                }
                #expect(calls.notices.count == 1)
                await #expect(throws: TarmacError.self) { try await store.remove(.all) }
                await client.shutdown()
                // Whatever still holds the store: the file is given up here.
                try store.database.close()
            }
            let moved = Locked<[String]>([])
            let database = try SQLiteDatabase(path: files.path, durability: .consistent, checksWhole: false) { event in
                if case .damaged(_, let place, _) = event { moved.withLock { $0.append(place) } }
            }
            let store = try SQLiteCacheStore(database), client = calls.client(store)
            #expect(moved.withLock { $0.count } == 1)
            #expect(try await calls.get(client, "/10/a") == .network)
            #expect(try await calls.get(client, "/10/a") == .cache)
            #expect(calls.notices.count == 1)
            await client.shutdown()
        }
    }

    /// YTK-25: the reason of a miss is told; the answer comes from the server and takes its place.
    @Test func aDamagedAnswerIsAMissAndIsReplaced() async throws {
        try await within {
            let store = try files.open(), client = calls.client(store), paths = ["/100/small", "/100000/chunk", "/600000/large"]
            for path in paths { #expect(try await calls.get(client, path) == .network) }
            try await client.cache.flush()
            try await store.database.write { connection in
                try connection.execute(sql: "UPDATE cache_entry SET body = zeroblob(100) WHERE body IS NOT NULL")
                try connection.execute(sql: "UPDATE cache_chunk SET bytes = zeroblob(length(bytes))")
            }
            for path in paths {
                #expect(try await calls.get(client, path) == .network)
                try await client.cache.flush()
                #expect(try await calls.get(client, path) == .cache)
            }
            let misses = calls.recorder.events.compactMap { event in
                if case .stage(CacheEvent.missed(let why)) = event.kind, let miss = CacheMiss(rawValue: why) { miss } else { nil }
            }
            #expect(misses == [.missing, .missing, .missing, .corrupt, .corrupt, .corrupt])
            #expect(calls.notices == [.corrupt])
            #expect(try await store.statistics().corruptions == 3)
            await client.shutdown()
        }
    }

    /// Else it would refuse to be opened for ever.
    @Test func damageThatShowsWhenAStoreIsOpenedHasTheFileMovedAsideTheNextTime() async throws {
        do {
            let store = try files.open()
            for index in 0..<300 { _ = try await store.publish(files.entry("/\(index)"), body: files.bytes(3000)) }
            try store.database.close()
        }
        try damage()
        // What does not fit any more has to make room, wherever it stands.
        #expect(throws: TarmacError.self) { try files.open(limit: 10_000, checksWhole: false) }
        let store = try files.open(limit: 10_000, checksWhole: false)
        #expect(try await store.statistics().entries == 0)
        #expect(files.names.contains { $0.contains(".damaged-") })
    }

    /// A disk that damages it again and again is not filled with copies of it; an outbox keeps all of them.
    @Test(arguments: [true, false]) func ofDamagedFilesTheLastStays(isCacheAlone: Bool) throws {
        let moved = ["1700000000", "1700000000-wal", "1700000001", "1700000001-1", "1700000001-1-wal"].map { files.path + ".damaged-\($0)" }
        let others = [files.path + ".damaged-", files.path + "2.damaged-1700000000", files.folder.path + "/notes"]
        for path in moved + others { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }
        // What was moved aside and is no database was somebody's file; and one with more than a cache in it was somebody's orders.
        let text = files.path + ".damaged-1600000000", orders = files.path + ".damaged-1600000001"
        try Data("a user's notes".utf8).write(to: URL(fileURLWithPath: text))
        let other = try SQLiteDatabase(path: orders)
        try DatabaseSchema.outbox.prepare(other)
        try other.close()
        let database = try SQLiteDatabase(path: files.path)
        if !isCacheAlone { try DatabaseSchema.outbox.prepare(database) }
        _ = try SQLiteCacheStore(database)
        // In a new file an outbox may come still.
        #expect(moved.allSatisfy(FileManager.default.fileExists))
        _ = try SQLiteCacheStore(database)
        for path in others + [text, orders] { #expect(FileManager.default.fileExists(atPath: path), "\(path)") }
        #expect(moved.filter(FileManager.default.fileExists) == (isCacheAlone ? moved.suffix(2) : moved[...]).map(\.self))
    }

    @Test(arguments: [0, 100, 4096]) func whatIsNoDatabaseIsMovedAside(count: Int) async throws {
        try await within {
            try Data(repeating: 0x41, count: count).write(to: URL(fileURLWithPath: files.path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: files.path)
            let store = try files.open(checksWhole: false)
            #expect(try await store.publish(files.entry("/a"), body: Bytes("a")))
            #expect(files.names.contains { $0.contains(".damaged-") } == (count > 0))
        }
    }

    @Test func aFolderThatIsNotThereIsAnError() {
        #expect(throws: TarmacError.self) { try SQLiteDatabase(path: files.folder.path + "/none/cache.db") }
    }
}
