import GRDB
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacSQLite

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A cache on a full disk can be emptied, and one that cannot be written is read all the same.
@Suite("Room of a SQLite cache", .timeLimit(.minutes(5)))
struct CacheRoomTests {
    private let files = CacheFiles()
    private let calls = CacheCalls()

    private func hasReserve() -> Bool { FileManager.default.fileExists(atPath: files.path + "-reserve") }

    /// In the way of what SQLite and the store make beside the file; the superuser cannot pass it either.
    private func obstruct(_ suffixes: [String]) throws {
        for suffix in suffixes {
            try? FileManager.default.removeItem(atPath: files.path + suffix)
            try FileManager.default.createDirectory(atPath: files.path + suffix, withIntermediateDirectories: false)
        }
    }

    @Test func aNegativeLimitIsRefused() throws {
        let database = try SQLiteDatabase(path: files.path)
        let faults = [
            #expect(throws: TarmacError.self) { try SQLiteCacheStore(database, limit: -1) },
            #expect(throws: TarmacError.self) { try SQLiteCacheStore(database, maximumAge: .seconds(-1)) },
        ]
        #expect(faults.allSatisfy { $0?.code == .invalidOption })
    }

    @Test func entriesMayBeKeptForever() async throws {
        let store = try SQLiteCacheStore(SQLiteDatabase(path: files.path), maximumAge: .seconds(Int64.max) * 4)
        #expect(try await store.publish(files.entry("/a"), body: Bytes("a")))
        #expect(try await files.body(store, files.entry("/a")) == Bytes("a"))
    }

    // MARK: Read only

    @Test(arguments: [["-lock", "-wal", "-shm"], ["-wal"], ["-shm"], ["-lock"]])
    func aFileThatCannotBeWrittenIsReadAllTheSame(obstacles: [String]) async throws {
        try await within {
            let before = try files.open()
            do {
                let client = calls.client(before)
                for path in ["/100/kept", "/400000/kept"] { _ = try await calls.get(client, path) }
                await client.shutdown()
            }
            try before.database.close()
            try obstruct(obstacles)
            let store = try files.open(), client = calls.client(store)
            #expect(store.database.isReadOnly)
            for round in 0..<3 {
                for path in ["/100/kept", "/400000/kept"] { #expect(try await calls.get(client, path) == .cache) }
                for size in [100, 400_000] { #expect(try await calls.get(client, "/\(size)/\(round)") == .network) }
                try? await client.cache.flush()
            }
            #expect(calls.notices == [.unwritable])
            #expect(try await store.statistics().entries == 2)
            // What must be written is refused.
            #expect(throws: TarmacError.self) { try SQLiteOutboxStore(store.database) }
            await client.shutdown()
        }
    }

    /// A file that a full disk has kept empty is no cache without tables: why it cannot be made is what has to be said.
    @Test func anEmptyFileIsNotRead() {
        #expect(FileManager.default.createFile(atPath: files.path, contents: nil, attributes: [.posixPermissions: 0o600]))
        #expect(SQLiteDatabase.openForReading(files.path, .schema) == nil)
    }

    @Test func allOfAFileThatCannotBeWrittenIsRemovedWithIt() async throws {
        let entry = files.entry("/a")
        do {
            let store = try files.open()
            _ = try await store.publish(entry, body: Bytes("a"))
            try store.database.close()
        }
        try obstruct(["-wal", "-shm"])
        let store = try files.open()
        await #expect(throws: TarmacError.self) { try await store.remove(.url(entry.key.url)) }
        #expect(try await store.lookup(entry.key).records.isEmpty)
        #expect(FileManager.default.fileExists(atPath: files.path))
        #expect(try await store.remove(.all) == 1)
        #expect(!FileManager.default.fileExists(atPath: files.path))
        #expect(try await store.statistics().entries == 0)
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: files.path + suffix) }
        // Whatever still holds the old one.
        let next = try files.open()
        #expect(try await next.publish(entry, body: Bytes("b")))
        #expect(try await store.lookup(entry.key).records.isEmpty)
    }

    /// An outbox must not go with a cache, nor what the app itself keeps in the file.
    @Test(arguments: [true, false]) func aFileThatOthersHaveTablesInStays(isOutbox: Bool) async throws {
        do {
            let store = try files.open()
            if isOutbox { try DatabaseSchema.outbox.prepare(store.database) }
            try await store.database.write { if !isOutbox { try $0.execute(sql: "CREATE TABLE note (text TEXT) STRICT") } }
            _ = try await store.publish(files.entry("/a"), body: Bytes("a"))
            try store.database.close()
        }
        try obstruct(["-wal", "-shm"])
        let store = try files.open()
        await #expect(throws: TarmacError.self) { try await store.remove(.all) }
        #expect(FileManager.default.fileExists(atPath: files.path))
    }

    @Test(arguments: ["plain.db", "odd ?a=1&#%41é.db"])
    func anyNameIsReadAsItIs(name: String) async throws {
        let files = files
        do {
            let store = try files.open(name: name)
            _ = try await store.publish(files.entry("/a"), body: Bytes(name))
            try store.database.close()
        }
        try FileManager.default.createDirectory(atPath: "\(files.folder.path)/\(name)-wal", withIntermediateDirectories: false)
        let store = try files.open(name: name)
        #expect(store.database.isReadOnly)
        #expect(try await files.body(store, files.entry("/a")) == Bytes(name))
    }

    // MARK: Full

    /// A disk with no room while the reserve stands, and afterwards with room for so many removals at a time.
    private final class FullDisk: TransactionObserver, Sendable {
        let path: String
        let room: Int
        private let removals = Locked(0)
        private let wasTold = Locked(false)

        init(_ path: String, room: Int) { (self.path, self.room) = (path, room) }

        var wasReserveGivenUp: Bool { wasTold.withLock { $0 } }

        func install(_ connection: Database) throws {
            connection.add(transactionObserver: self, extent: .databaseLifetime)
            let function = DatabaseFunction("take_room", argumentCount: 0) { [self] _ in
                if FileManager.default.fileExists(atPath: path + "-reserve") { throw DatabaseError(resultCode: .SQLITE_FULL) }
                wasTold.withLock { $0 = true }
                let count = removals.withLock { removals in
                    removals += 1
                    return removals
                }
                if count > room { throw DatabaseError(resultCode: .SQLITE_FULL) }
                return nil
            }
            connection.add(function: function)
            try connection.execute(sql: "CREATE TEMP TRIGGER no_room BEFORE DELETE ON main.cache_entry BEGIN SELECT take_room(); END")
        }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ db: Database) { removals.withLock { $0 = 0 } }
        func databaseDidRollback(_ db: Database) { removals.withLock { $0 = 0 } }
    }

    @Test(arguments: [nil, XORSealer()])
    func aFullDiskKeepsNobodyFromRemoving(sealer: XORSealer?) async throws {
        let store = try files.open(sealer: sealer)
        #expect(hasReserve())
        for index in 0..<90 { _ = try await store.publish(files.entry("/\(index % 3)/\(index)", tags: ["\(index % 3)"]), body: files.bytes(3000)) }
        let disk = FullDisk(files.path, room: 5)
        try await store.database.write { try disk.install($0) }
        #expect(try await store.remove(.tag("1")) == 30)
        #expect(disk.wasReserveGivenUp)
        #expect(try await store.statistics().entries == 60)
        #expect(try await store.remove(.urlPrefix("https://s.example/2/")) == 30)
        #expect(try await store.remove(.all) == 30)
        #expect(try await store.statistics().bytes == 0)
        #expect(try await store.lookup(files.entry("/0/0").key).records.isEmpty)
        // It is put by again, now that there is room.
        #expect(hasReserve())
    }

    @Test func whereNotEvenOneCanBeRemovedThatIsSaid() async throws {
        let store = try files.open(), entry = files.entry("/a")
        _ = try await store.publish(entry, body: Bytes("a"))
        let disk = FullDisk(files.path, room: 0)
        try await store.database.write { try disk.install($0) }
        await #expect(throws: TarmacError.self) { try await store.remove(.url(entry.key.url)) }
        #expect(try await store.lookup(entry.key).records.isEmpty)
        try await store.database.write { try $0.execute(sql: "DROP TRIGGER no_room") }
        try await store.flush()
        #expect(try await store.statistics().entries == 0)
    }

    /// All of it goes with its file, which takes no room, unless somebody else has that open.
    @Test func whereNotEvenOneCanBeRemovedAllGo() async throws {
        let store = try files.open(), entry = files.entry("/a")
        _ = try await store.publish(entry, body: Bytes("a"))
        let disk = FullDisk(files.path, room: 0)
        try await store.database.write { try disk.install($0) }
        do {
            let other = try files.open()
            await #expect(throws: TarmacError.self) { try await store.remove(.all) }
            try other.database.close()
        }
        #expect(FileManager.default.fileExists(atPath: files.path))
        #expect(try await store.remove(.all) == 1)
        #expect(!FileManager.default.fileExists(atPath: files.path))
        #expect(try await store.lookup(entry.key).records.isEmpty)
        // The old one's end takes nothing of the new one's.
        let next = try files.open()
        #expect(try await next.publish(entry, body: Bytes("b")))
        try store.database.close()
        #expect(try await files.body(try files.open(), entry) == Bytes("b"))
    }

    @Test func openingUsesTheReserveAndPutsItByAgain() throws {
        do { try files.open().database.close() }
        #expect(hasReserve())
        try obstruct(["-wal"])
        do { try files.open().database.close() }
        #expect(!hasReserve())
        try FileManager.default.removeItem(atPath: files.path + "-wal")
        do { try files.open().database.close() }
        #expect(hasReserve())
    }

    @Test func whatIsRemovedIsGivenBackToTheDisk() async throws {
        let store = try files.open(limit: 64 << 20)
        func pages() async throws -> Int { try await store.database.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 } }
        for index in 0..<24 { _ = try await store.publish(files.entry("/\(index)"), body: files.bytes(1 << 20)) }
        let before = try await pages()
        #expect(before > 6000)
        #expect(try await store.remove(.all) == 24)
        #expect(try await pages() < 60)
    }
}
