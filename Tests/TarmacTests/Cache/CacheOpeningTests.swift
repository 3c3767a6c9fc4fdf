import HTTPTypes
import Testing

import Tarmac
@testable import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore

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

        var list: @Sendable (String) -> [String] {
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
        _ folder: Folder, limit: Int64 = 100 << 20, list: @escaping @Sendable (String) -> [String] = FileCacheFolder.names, readsAll: Bool = true
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
