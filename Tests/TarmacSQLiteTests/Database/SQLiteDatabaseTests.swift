#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import GRDB
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacSQLite

/// One file for all stores: private, shared by processes, and never silently lost.
@Suite struct SQLiteDatabaseTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/shop.db" }
    private let notes = DatabaseSchema(name: "notes", steps: ["CREATE TABLE notes_note (text TEXT NOT NULL) STRICT"])

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func write(_ text: String, to database: SQLiteDatabase) async throws {
        try await database.write { try $0.execute(sql: "INSERT INTO notes_note VALUES (?)", arguments: [text]) }
    }

    private func texts(_ database: SQLiteDatabase) async throws -> [String] {
        try await database.read { try String.fetchAll($0, sql: "SELECT text FROM notes_note ORDER BY rowid") }
    }

    /// SQLite makes a temporary database of it.
    @Test func aDatabaseHasAPath() throws {
        let error = #expect(throws: TarmacError.self) { try SQLiteDatabase(path: "") }
        #expect(error?.code == .invalidOption && error?.reason.contains("path") == true)
    }

    @Test func everyFileIsForItsUserAlone() async throws {
        let database = try SQLiteDatabase(path: path)
        try notes.prepare(database)
        try await write("kept", to: database)
        for suffix in ["", "-wal", "-shm", "-lock"] { #expect(try mode(path + suffix) == 0o600, "\(suffix)") }
    }

    @Test(arguments: [(SQLiteDatabase.Durability.full, 2), (.consistent, 1)])
    func durabilityIsWhatSQLiteWaitsFor(durability: SQLiteDatabase.Durability, synchronous: Int) async throws {
        let database = try SQLiteDatabase(path: path, durability: durability)
        let found = try await database.write { connection in
            (try Int.fetchOne(connection, sql: "PRAGMA synchronous"), try String.fetchOne(connection, sql: "PRAGMA journal_mode"))
        }
        #expect(found.0 == synchronous)
        #expect(found.1 == "wal")
    }

    @Test func twoHandlesSeeEachOthersWriting() async throws {
        let one = try SQLiteDatabase(path: path), other = try SQLiteDatabase(path: path)
        try notes.prepare(one)
        try notes.prepare(other)
        try await write("a", to: one)
        try await write("b", to: other)
        #expect(try await texts(one) == ["a", "b"])
        #expect(try await texts(other) == ["a", "b"])
    }

    @Test func manyOpenersAtOnceMakeOneFile() async throws {
        let path = path, notes = notes
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let database = try SQLiteDatabase(path: path)
                    try notes.prepare(database)
                    try await database.write { try $0.execute(sql: "INSERT INTO notes_note VALUES (?)", arguments: ["\(number)"]) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await texts(try SQLiteDatabase(path: path)).count == 8)
    }

    @Test(arguments: [Damage.head, .page, .noDatabase])
    func damagedFileIsMovedAsideAndSaid(damage: Damage) async throws {
        do {
            let database = try SQLiteDatabase(path: path)
            try notes.prepare(database)
            for number in 0..<500 { try await write("\(number) " + String(repeating: "x", count: 100), to: database) }
            try database.close()
        }
        try damage.apply(to: path)
        // What a crash leaves beside it must not be played into the new file.
        try Data("stale".utf8).write(to: URL(fileURLWithPath: path + "-wal"))
        let events = Locked<[SQLiteDatabase.Event]>([])
        let database = try SQLiteDatabase(path: path) { event in events.withLock { $0.append(event) } }
        try notes.prepare(database)
        #expect(try await texts(database).isEmpty)
        let heard = events.withLock { $0 }
        guard case .damaged(let named, let place, let reason)? = heard.first else { return #expect(Bool(false), "no event") }
        #expect(heard.count == 1)
        #expect(named == path)
        #expect(!reason.isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: place)).count > 1_000)
        #expect(try mode(path) == 0o600)
        // The new one is sound.
        #expect(throws: Never.self) { try SQLiteDatabase(path: path) { _ in Issue.record("damaged again") } }
    }

    /// Whoever copies it then has all of it.
    @Test func aFileThatIsClosedHoldsEverything() async throws {
        let database = try SQLiteDatabase(path: path)
        try notes.prepare(database)
        try await write("kept", to: database)
        #expect(try await texts(database) == ["kept"])
        try database.close()
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        #expect(try await texts(SQLiteDatabase(path: path)) == ["kept"])
    }

    @Test func fileOthersMayReadIsRefused() throws {
        _ = try SQLiteDatabase(path: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let error = #expect(throws: TarmacError.self) { try SQLiteDatabase(path: path) }
        #expect(error?.code == .storeFailed)
        #expect(error?.suggestion?.contains("0600") == true)
    }

    @Test func symbolicLinkIsRefused() throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/elsewhere.db")
        #expect(throws: TarmacError.self) { try SQLiteDatabase(path: path) }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/elsewhere.db"))
    }

    @Test func missingFolderIsNamed() {
        let error = #expect(throws: TarmacError.self) { try SQLiteDatabase(path: folder.path + "/none/shop.db") }
        #expect(error?.code == .storeFailed)
        #expect(error?.reason.contains("/none/shop.db") == true)
    }

    @Test func stepsAreTakenOnceAndInOrder() async throws {
        let database = try SQLiteDatabase(path: path)
        try notes.prepare(database)
        try await write("kept", to: database)
        let later = DatabaseSchema(name: "notes", steps: notes.steps + ["ALTER TABLE notes_note ADD COLUMN tag TEXT"])
        try later.prepare(database)
        try later.prepare(database)
        #expect(try await texts(database) == ["kept"])
        #expect(try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM notes_note WHERE tag IS NULL") } == 1)
    }

    @Test func tablesOfALaterVersionAreRefused() throws {
        let database = try SQLiteDatabase(path: path)
        try DatabaseSchema(name: "notes", steps: notes.steps + ["ALTER TABLE notes_note ADD COLUMN tag TEXT"]).prepare(database)
        let error = #expect(throws: TarmacError.self) { try notes.prepare(database) }
        #expect(error?.reason.contains("version 2") == true)
    }

    @Test func failedStepLeavesNothingBehind() async throws {
        let database = try SQLiteDatabase(path: path)
        let broken = DatabaseSchema(name: "notes", steps: notes.steps + ["ALTER TABLE nowhere ADD COLUMN tag TEXT"])
        #expect(throws: TarmacError.self) { try broken.prepare(database) }
        #expect(try await database.read { try $0.tableExists("notes_note") } == false)
    }

    @Test func errorsQuoteNoValue() async throws {
        let database = try SQLiteDatabase(path: path)
        try notes.prepare(database)
        let error = await #expect(throws: TarmacError.self) {
            try await database.write { try $0.execute(sql: "INSERT INTO notes_note VALUES (?, ?)", arguments: ["hush-hush", 2]) }
        }
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!dumped.contains("hush-hush"))
        #expect(error?.code == .storeFailed)
    }
}

/// What may have happened to a file.
enum Damage: CaseIterable {
    case head, page, noDatabase

    func apply(to path: String) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        switch self {
        case .head: bytes.replaceSubrange(0..<16, with: Array("not a database!!".utf8))
        // Neither the first page nor the schema: found only by reading all.
        case .page: bytes.replaceSubrange((bytes.count - 4_096)..<(bytes.count - 3_000), with: repeatElement(0xAB, count: 1_096))
        case .noDatabase: bytes = [UInt8](repeating: 0x41, count: 20_000)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
