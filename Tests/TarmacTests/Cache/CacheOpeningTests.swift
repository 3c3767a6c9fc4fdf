import HTTPTypes
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Opening a file store reads no entry, and each operation reads what it needs.
@Suite("Cache opening", .timeLimit(.minutes(5)))
struct CacheOpeningTests {
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-opening-\(UInt64.random(in: .min ... .max))").path
        var files: [String] { ((try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".answer") } }
        var parts: [String] { ((try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".part") } }

        /// Moves all files to where earlier versions kept them.
        func flatten() throws {
            for file in files {
                try FileManager.default.moveItem(atPath: "\(path)/\(file)", toPath: "\(path)/\(file.split(separator: "/").last ?? "")")
            }
            try FileManager.default.removeItem(atPath: "\(path)/moved")
            try FileManager.default.removeItem(atPath: "\(path)/parts")
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Lists folders, and notes which.
    private final class Lister: Sendable {
        private let listed = Locked<[String]>([])
        var folders: [String] { listed.withLock { $0 } }

        var list: @Sendable (String) -> [String]? {
            { [self] folder in
                listed.withLock { $0.append(folder) }
                return FileCacheFolder.names(folder)
            }
        }
    }

    private static func key(_ number: Int) -> CacheKey { CacheKey(service: "s", environment: "e", url: "https://s.example/\(number)") }

    private static func entry(_ number: Int, variant: String = "", tags: Set<String> = []) -> CacheEntry {
        CacheEntry(
            key: key(number), variant: variant, requestDate: Date(timeIntervalSince1970: 0), responseDate: Date(timeIntervalSince1970: 0), tags: tags)
    }

    private static func fill(_ folder: Folder, _ count: Int) async throws {
        let store = try FileCacheStore(folder: folder.path)
        for number in 0..<count { try await store.publish(entry(number, tags: [number % 2 == 0 ? "even" : "odd"]), body: Bytes("\(number)")) }
    }

    private static func open(
        _ folder: Folder, limit: Int64 = 100 << 20, list: @escaping @Sendable (String) -> [String]? = FileCacheFolder.names, readsAll: Bool = true
    ) throws -> FileCacheStore {
        try FileCacheStore(folder: folder.path, limit: limit, backups: BackupExclusion { _, _ in }, readsAll: readsAll, list: list)
    }

    /// The guard of the time to the first answer: it counts what is listed.
    @Test(arguments: [10, 1_000]) func theFirstAnswerListsOnePlaceHoweverManyFilesThereAre(count: Int) async throws {
        let folder = Folder(), lister = Lister()
        try await Self.fill(folder, count)
        let store = try Self.open(folder, list: lister.list, readsAll: false)
        // Left over from a crash, and always few.
        #expect(lister.folders == ["\(folder.path)/parts"])
        for number in [count / 2, count / 2, 0] {
            let record = try #require(try await store.lookup(Self.key(number)).records.first)
            #expect(record.body == Bytes("\(number)"))
        }
        let places = Set([count / 2, 0].map { FileSlot.place(of: Self.key($0).url) })
        #expect(lister.folders.count == 1 + places.count)
        #expect(lister.folders.allSatisfy { $0 != folder.path })
        #expect(try await store.update(Self.entry(7)) == false)
        #expect(try await store.remove(.url(Self.key(0).url)) == 1)
        #expect(try await store.remove(.key(Self.key(1))) == 1)
        #expect(lister.folders.count <= 4 + places.count)
    }

    @Test func whatConcernsManyURLsWaitsForAllFiles() async throws {
        let folder = Folder()
        try await Self.fill(folder, 300)
        #expect(try await Self.open(folder).statistics().entries == 300)
        #expect(try await Self.open(folder).list(.tag("odd"), after: nil, limit: 1_000).count == 150)
        let id = try await Self.open(folder).list(.all, after: nil, limit: 1).first?.id
        #expect(try await Self.open(folder).remove(.entry(#require(id))) == 1)
        #expect(try await Self.open(folder).remove(.tag("even")) >= 149)
        #expect(try await Self.open(folder).remove(CacheSelection { ($0.service, $0.urlPrefix) = ("s", "https://s.example/29") }) > 0)
        #expect(try await Self.open(folder).remove(.service("s")) > 100)
        #expect(folder.files.isEmpty)
    }

    /// Those unused for longest go, whether they were read for a call or behind it.
    @Test func roomIsMadeWhenAllFilesAreKnown() async throws {
        let folder = Folder()
        try await Self.fill(folder, 200)
        let size = try await Self.open(folder).statistics().bytes / 200
        let files = folder.files
        for (number, file) in files.enumerated() {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 + Double(number))], ofItemAtPath: "\(folder.path)/\(file)")
        }
        // Half of it is too much; the oldest file is used, and a new one is stored.
        let names = files.map(Self.name), store = try Self.open(folder, limit: size * 100, readsAll: false)
        var used: CacheEntry?
        for number in 0..<200 {
            let entry = try #require(try await store.lookup(Self.key(number)).records.first?.entry)
            if FileSlot(entry, size: 0).name == names[0] { used = entry }
        }
        store.touch(try #require(used))
        let new = Self.entry(1_000)
        try await store.publish(new, body: Bytes("new"))
        #expect(folder.files.count == 201)
        store.readAll()
        let entries = try await store.statistics().entries, kept = Set(folder.files.map(Self.name))
        #expect((80...90).contains(entries) && kept.count == entries)
        #expect(kept == Set(names.suffix(entries - 2)).union([names[0], FileSlot(new, size: 0).name]))
    }

    private static func name(_ file: String) -> String { file.split(separator: "/").last.map(String.init) ?? "" }

    @Test func nothingIsRemovedBeforeAllFilesAreKnown() async throws {
        let folder = Folder()
        try await Self.fill(folder, 200)
        let store = try Self.open(folder, limit: 1_000, readsAll: false)
        for number in 0..<50 { #expect(try await store.lookup(Self.key(number)).records.count == 1) }
        try await store.publish(Self.entry(1_000), body: Bytes("new"))
        #expect(folder.files.count == 201)
        let other = try Self.open(folder, limit: 1_000)
        #expect(try await other.statistics().bytes <= 1_000)
        #expect(folder.files.count < 10)
    }

    /// An answer that replaces another one does so before the other's name was read.
    @Test func anAnswerReplacesOneOfBefore() async throws {
        let folder = Folder()
        try await Self.fill(folder, 50)
        let store = try Self.open(folder, readsAll: false)
        for number in 0..<50 { try await store.publish(Self.entry(number), body: Bytes("new \(number)")) }
        try await store.publish(Self.entry(7, variant: "v"), body: Bytes("variant"))
        #expect(folder.files.count == 51)
        #expect(Set(try await store.lookup(Self.key(7)).records.compactMap(\.body)) == [Bytes("new 7"), Bytes("variant")])
        #expect(try await Self.open(folder).statistics().entries == 51)
    }

    // MARK: Folders of earlier versions

    @Test func aFolderOfAnEarlierVersionIsRead() async throws {
        let folder = Folder()
        try await Self.fill(folder, 100)
        try folder.flatten()
        #expect(FileManager.default.createFile(atPath: "\(folder.path)/1.part", contents: nil))
        let store = try Self.open(folder, readsAll: false)
        #expect(folder.parts.isEmpty)
        #expect(try await store.lookup(Self.key(3)).records.first?.body == Bytes("3"))
        // The others are where they were, and are moved by whoever reads them.
        #expect(folder.files.contains { !$0.contains("/") } && folder.files.contains { $0.contains("/") })
        let next = try Self.open(folder)
        #expect(try await next.statistics().entries == 100)
        #expect(folder.files.allSatisfy { $0.contains("/") } && folder.files.count == 100)
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/moved"))
    }

    /// A crash amid the move leaves each file in one place, and the next opening goes on.
    @Test func aMoveThatBrokeOffGoesOn() async throws {
        let folder = Folder()
        try await Self.fill(folder, 100)
        try folder.flatten()
        let broken = try Self.open(folder, readsAll: false)
        for number in 0..<30 { #expect(try await broken.lookup(Self.key(number)).records.count == 1) }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/moved"))
        let store = try Self.open(folder, readsAll: false)
        for number in 0..<100 { #expect(try await store.lookup(Self.key(number)).records.first?.body == Bytes("\(number)")) }
    }

    /// What an earlier version stores after the move would take room forever.
    @Test func filesThatAnEarlierVersionAddsLaterAreRemoved() async throws {
        let folder = Folder()
        try await Self.fill(folder, 3)
        let name = folder.files[0].split(separator: "/").last ?? ""
        try FileManager.default.copyItem(atPath: "\(folder.path)/\(folder.files[0])", toPath: "\(folder.path)/\(name)")
        #expect(folder.files.count == 4)
        #expect(try await Self.open(folder).statistics().entries == 3)
        #expect(folder.files.count == 3)
    }

    /// A file that cannot be moved would use space that no limit counts.
    @Test func filesThatCannotBeMovedAreRemoved() async throws {
        let folder = Folder()
        try await Self.fill(folder, 3)
        let stuck = folder.files[0]
        try folder.flatten()
        // A folder under its name: the file cannot be renamed.
        try FileManager.default.createDirectory(atPath: "\(folder.path)/\(stuck)", withIntermediateDirectories: false)
        #expect(try await Self.open(folder).statistics().entries == 2)
        #expect(folder.files.allSatisfy { $0.contains("/") })
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/moved"))
    }

    // MARK: Faults that pass

    /// A folder that cannot be listed is not an empty one: its files are found once it can.
    @Test func aPlaceThatCouldNotBeListedIsReadAgain() async throws {
        let folder = Folder(), fails = Locked(true), place = FileSlot.place(of: Self.key(1).url)
        try await Self.fill(folder, 3)
        let suffix = "/\(place < 16 ? "0" : "")\(String(place, radix: 16))"
        let list: @Sendable (String) -> [String]? = { path in
            path.hasSuffix(suffix) && fails.withLock { $0 } ? nil : FileCacheFolder.names(path)
        }
        let store = try Self.open(folder, list: list)
        #expect(try await store.lookup(Self.key(1)).records.isEmpty)
        await #expect(throws: TarmacError.self) { try await store.remove(.key(Self.key(1))) }
        await #expect(throws: TarmacError.self) { try await store.remove(.tag("odd")) }
        // An older file could replace it later.
        await #expect(throws: TarmacError.self) { try await store.publish(Self.entry(1), body: Bytes("new")) }
        fails.withLock { $0 = false }
        #expect(try await store.lookup(Self.key(1)).records.first?.body == Bytes("1"))
        #expect(try await store.remove(.tag("odd")) == 1)
        #expect(try await store.statistics().entries == 2)
    }

    /// A folder that cannot be listed at its opening would count as one without files of an earlier version.
    @Test func aFolderThatCannotBeListedIsNotOpened() async throws {
        let folder = Folder()
        try await Self.fill(folder, 3)
        try folder.flatten()
        let path = folder.path
        #expect(throws: TarmacError.self) { try Self.open(folder, list: { $0 == path ? nil : FileCacheFolder.names($0) }) }
        #expect(try await Self.open(folder).statistics().entries == 3)
    }

    /// Puts a file where the folder of a place is, so that none of its files can be opened, and undoes that.
    private static func withoutPlace(_ folder: Folder, _ file: String, _ body: () async throws -> Void) async throws {
        let place = "\(folder.path)/\(file.split(separator: "/")[0])"
        try FileManager.default.moveItem(atPath: place, toPath: "\(place)-away")
        #expect(FileManager.default.createFile(atPath: place, contents: nil))
        try await body()
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.moveItem(atPath: "\(place)-away", toPath: place)
    }

    @Test func aFileThatCannotBeOpenedStays() async throws {
        let folder = Folder(), store = try Self.open(folder)
        try await store.publish(Self.entry(1), body: Bytes("1"))
        let entry = try #require(try await store.lookup(Self.key(1)).records.first?.entry)
        try await Self.withoutPlace(folder, folder.files[0]) {
            let found = try await store.lookup(Self.key(1)).records, body = try await store.body(of: entry)
            #expect(found.isEmpty && body == nil)
            await #expect(throws: TarmacError.self) { try await store.update(entry) }
        }
        #expect(try await store.lookup(Self.key(1)).records.first?.body == Bytes("1"))
    }

    @Test func aRemovalReportsAFileThatItCannotRead() async throws {
        let folder = Folder(), store = try Self.open(folder)
        try await store.publish(Self.entry(1, tags: ["t"]), body: Bytes("1"))
        try await Self.withoutPlace(folder, folder.files[0]) {
            await #expect(throws: TarmacError.self) { try await store.remove(.tag("t")) }
        }
        #expect(try await store.remove(.tag("t")) == 1)
    }

    // MARK: Removals during a write

    @Test func anUpdateUnderWayDoesNotBringBackARemovedEntry() async throws {
        let folder = Folder(), store = try Self.open(folder)
        let entry = Self.entry(1)
        try await store.publish(entry, body: Bytes("1"))
        let writer = try #require(try store.makeWriter(for: entry, updates: true))
        try await writer.append(Bytes("1"))
        #expect(try await store.remove(.all) == 1)
        #expect(try await writer.publish(entry) == false)
        #expect(try await store.lookup(Self.key(1)).records.isEmpty)
        #expect(folder.files.isEmpty && folder.parts.isEmpty)
    }

    /// Parts are files too: several large bodies that arrive at the same time do not exceed the limit.
    @Test func partsCountInTheLimit() async throws {
        let folder = Folder(), store = try Self.open(folder, limit: 10_000)
        for number in 0..<6 { try await store.publish(Self.entry(number), body: Bytes([UInt8](repeating: 1, count: 1_000))) }
        #expect(try await store.statistics().bytes > 6_000)
        let piece = Bytes([UInt8](repeating: 2, count: 2_400))
        var writers: [any CacheWriter] = []
        for number in 0..<4 {
            let writer = try #require(try await store.makeWriter(for: Self.entry(100 + number)))
            try await writer.append(piece)
            writers.append(writer)
        }
        #expect(try await store.statistics().bytes <= 400)
        let last = try #require(try await store.makeWriter(for: Self.entry(200)))
        await #expect(throws: TarmacError.self) { try await last.append(piece) }
        for writer in writers { await writer.abort() }
        try await last.append(piece)
        #expect(folder.parts.count == 1)
    }

    @Test(arguments: [-1, Int64.min]) func aNegativeLimitIsRefused(limit: Int64) {
        let folder = Folder()
        let faults = [
            #expect(throws: TarmacError.self) { try Self.open(folder, limit: limit) },
            #expect(throws: TarmacError.self) { try FileCacheStore(folder: folder.path, maximumAge: .seconds(-1)) },
        ]
        #expect(faults.allSatisfy { $0?.code == .invalidOption })
    }

    /// A file system may report any time, and a sparse file any size.
    @Test func oddTimesAndSizesAreTolerated() throws {
        var index = FileCacheIndex(isComplete: false)
        let files = try [(1, 1e300), (2, -1e300), (3, 1e18)].map { id, modified in
            FileCacheFolder.File(slot: try #require(FileSlot(name: "1-2-\(id)-\(id).answer", size: .max)), modified: modified)
        }
        #expect(index.add(files, of: 0).isEmpty)
        #expect(index.statistics.entries == 3 && index.statistics.bytes > 0)
    }

    /// Calls that read one place at the same time agree on it.
    @Test func callsThatOpenAPlaceTogetherFindTheirEntries() async throws {
        let folder = Folder()
        try await Self.fill(folder, 200)
        try folder.flatten()
        let store = try Self.open(folder)
        let found = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    if number % 3 == 0 { try await store.publish(Self.entry(number), body: Bytes("\(number)")) }
                    return try await store.lookup(Self.key(number)).records.map(\.body) == [Bytes("\(number)")]
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(found == 200)
        #expect(try await store.statistics().entries == 200)
        #expect(folder.files.count == 200)
    }
}
