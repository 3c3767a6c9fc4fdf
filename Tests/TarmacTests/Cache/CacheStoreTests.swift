import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What every store does, and what each is for.
@Suite("Cache stores", .timeLimit(.minutes(5)))
struct CacheStoreTests {
    @Test(arguments: CacheStoreConformance.Case.allCases)
    func theMemoryStoreConforms(_ name: CacheStoreConformance.Case) async throws {
        try await CacheStoreConformance.run(name) { MemoryCacheStore(limit: $0) }
    }

    // YTK-B2: writers and readers at once never mix an entry with the body of another (writersAtOnceNeverMix, readersOfTheOldReadToItsEnd).
    // YTK-38: size, limit and clearing of a store in a folder (statisticsCount, removalBySelection).
    @Test(arguments: CacheStoreConformance.Case.allCases)
    func theFileStoreConforms(_ name: CacheStoreConformance.Case) async throws {
        let folder = Folder()
        try await CacheStoreConformance.run(name) { try FileCacheStore(folder: folder.make(), limit: Int64($0)) }
    }

    // MARK: Memory

    private static func entry(_ path: String) -> CacheEntry {
        CacheEntry(
            key: CacheKey(service: "s", environment: "e", url: path), requestDate: Date(timeIntervalSince1970: 0), responseDate: Date(timeIntervalSince1970: 0))
    }

    /// A working set that is used again and again, and lists that are scanned once: an LRU of the same size keeps nothing.
    @Test func aScanDoesNotDriveOutWhatIsUsed() async throws {
        let body = Bytes([UInt8](repeating: 0, count: 10_000))
        let store = MemoryCacheStore(limit: 1_100_000)
        var lru: [String] = []
        var hits = 0, lruHits = 0, asked = 0
        func ask(_ path: String) async {
            asked += 1
            if let place = lru.firstIndex(of: path) {
                lru.remove(at: place)
                lruHits += 1
            }
            lru.append(path)
            if lru.count > 100 { lru.removeFirst() }
            if let record = await store.lookup(CacheKey(service: "s", environment: "e", url: path)).records.first {
                store.touch(record.entry)
                hits += 1
            } else {
                await store.publish(Self.entry(path), body: body)
            }
        }
        for round in 0..<20 {
            for item in 0..<50 { await ask("/used/\(item)") }
            for item in 0..<150 { await ask("/scan/\(round)/\(item)") }
        }
        #expect(lruHits == 0)
        #expect(hits > 700, "\(hits) hits of \(asked)")
        #expect(await store.statistics().bytes <= 1_100_000)
    }

    /// An entry takes the place of its predecessor in the queue, not of what is used.
    @Test func validatedEntriesKeepTheirStanding() async throws {
        let store = MemoryCacheStore(limit: 1_000_000)
        var kept = Self.entry("/kept")
        await store.publish(kept, body: Bytes("a"))
        (kept.headers[.age], kept.bodyLength) = ("1", 1)
        #expect(await store.update(kept))
        #expect(await store.lookup(kept.key).records.first?.entry == kept)
    }

    // MARK: Files

    /// A folder of its own for each store, removed with the test.
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-cache-\(UInt64.random(in: .min ... .max))").path
        private let count = Locked(0)
        init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        func make() -> String {
            "\(path)/"
                + String(
                    count.withLock {
                        $0 += 1
                        return $0
                    })
        }
        var files: [String] {
            (try? FileManager.default.subpathsOfDirectory(atPath: path))?.filter { $0.hasSuffix(".answer") || $0.hasSuffix(".part") }.map { "\(path)/\($0)" }
                ?? []
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test func filesSurviveTheProcess() async throws {
        let folder = Folder(), place = folder.make()
        let entry = Self.entry("/a")
        try await FileCacheStore(folder: place).publish(entry, body: Bytes("body"))
        let store = try FileCacheStore(folder: place)
        #expect(try await store.lookup(entry.key).records.first?.body == Bytes("body"))
        #expect(try await store.statistics().entries == 1)
    }

    /// YTK-B2: half an answer is none.
    @Test func whatACrashLeftIsSweptUp() async throws {
        let folder = Folder(), place = folder.make()
        let store = try FileCacheStore(folder: place)
        let writer = try #require(try await store.makeWriter(for: Self.entry("/a")))
        try await writer.append(Bytes("half"))
        #expect(folder.files.count == 1)
        #expect(try await FileCacheStore(folder: place).statistics().entries == 0)
        #expect(folder.files.isEmpty)
        await writer.abort()
    }

    enum Damage: CaseIterable { case body, entry, footer, cut, empty }

    /// YTK-B2.
    @Test(arguments: Damage.allCases)
    func damagedFilesAreThrownAwayAndTold(damage: Damage) async throws {
        let folder = Folder()
        let store = try FileCacheStore(folder: folder.make())
        let entry = Self.entry("/a")
        try await store.publish(entry, body: Bytes([UInt8](repeating: 7, count: 1000)))
        let path = try #require(folder.files.first)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        switch damage {
        case .body: bytes[500] ^= 1
        case .entry: bytes[1010] ^= 1
        case .footer: bytes[bytes.count - 20] ^= 1
        case .cut: bytes.removeLast(5)
        case .empty: bytes = []
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let lookup = try await store.lookup(entry.key)
        #expect(lookup.records.isEmpty && lookup.wasCorrupt)
        #expect(store.takeNotices().map(\.kind) == [.corrupt] && store.takeNotices().isEmpty)
        #expect(folder.files.isEmpty)
        #expect(try await !store.lookup(entry.key).wasCorrupt)
    }

    /// A body too large to come along is checked before its first byte is handed on, and again while it is read.
    @Test(arguments: [false, true]) func damageInALargeBodyIsAMissOrEndsItsStream(isKnown: Bool) async throws {
        let folder = Folder()
        let store = try FileCacheStore(folder: folder.make())
        let entry = Self.entry("/a")
        try await store.publish(entry, body: Bytes([UInt8](repeating: 7, count: 300_000)))
        if isKnown { #expect(try await store.body(of: entry) != nil) }
        let path = try #require(folder.files.first)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        bytes[299_999] ^= 1
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let body = try await store.body(of: entry)
        guard isKnown else {
            #expect(body == nil)
            #expect(try await store.lookup(entry.key).records.isEmpty)
            return
        }
        guard case .stream(let stream)? = body else {
            Issue.record("it is not streamed")
            return
        }
        let error = await failure { _ = try await stream.collect(upTo: .max) }
        #expect(error?.code == .truncatedBody)
        #expect(try await store.lookup(entry.key).records.isEmpty)
    }

    /// Nothing can be written: calls go on uncached, and one event tells.
    @Test func anUnwritableFolderIsToldOnce() async throws {
        let folder = Folder(), place = folder.make()
        let store = try FileCacheStore(folder: place)
        try FileManager.default.removeItem(atPath: place)
        let recorder = EventRecorder()
        let client = Client(StubTransport { _ in .json(#"{"n":1}"#, headers: [.cacheControl: "max-age=60"]) }) {
            ($0.cache, $0.cacheStore, $0.observers) = (.http, .store(store), [recorder])
        }
        for _ in 1...3 {
            #expect(try await client.get("/n", as: Number.self).n == 1)
            try await client.cache.flush()
        }
        #expect(recorder.names.filter { $0 == "cacheFailed" }.count == 1)
        #expect(FileManager.default.createFile(atPath: place, contents: nil))
        #expect(throws: TarmacError.self) { try FileCacheStore(folder: "\(place)/below") }
    }

    /// A disk that is full in the middle of it.
    @Test func anUpdateThatFindsNoRoomLeavesWhatWasThere() async throws {
        let folder = Folder(), entry = Self.entry("/a")
        try await FileCacheStore(folder: folder.make()).publish(entry, body: Bytes([UInt8](repeating: 7, count: 300_000)))
        let path = try #require(folder.files.first)
        guard case .entry(let old) = CacheFile.read(path, id: entry.id, inlineLimit: 0) else {
            Issue.record("it is not there")
            return
        }
        var newer = old.entry
        newer.headers[.eTag] = "\"e\""
        let size = CacheFile.append(newer, to: path, old.footer) { bytes, descriptor, offset in
            _ = FileDescriptor.write(descriptor, from: UnsafeRawBufferPointer(rebasing: bytes.prefix(20)), at: offset)
            return false
        }
        #expect(size == nil)
        guard case .entry(let kept) = CacheFile.read(path, id: entry.id, inlineLimit: 1 << 20) else {
            Issue.record("it is damaged")
            return
        }
        #expect(kept.entry == old.entry && kept.body?.count == 300_000)
        #expect(CacheFile.append(newer, to: path, old.footer) != nil)
    }

    /// It would be used again after the next start.
    @Test func whatCannotBeRemovedIsAnError() async throws {
        let folder = Folder(), store = try FileCacheStore(folder: folder.make())
        try await store.publish(Self.entry("/a"), body: Bytes("a"))
        let path = try #require(folder.files.first)
        try await store.publish(Self.entry("/b"), body: Bytes("b"))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(await failure { _ = try await store.remove(.all) }?.code == .unwritableFile)
        #expect(folder.files == [path])
        try FileManager.default.removeItem(atPath: path)
        #expect(try await store.remove(.all) == 1)
        #expect(try await store.statistics().entries == 0)
    }

    /// What was not used for the age goes with the next that is stored; across restarts it counts when it was stored.
    @Test func whatNobodyUsesForLongGoes() async throws {
        let folder = Folder(), place = folder.make(), day = 86_400.0
        let start = Date(timeIntervalSince1970: (Date().timeIntervalSince1970).rounded(.up)), date = Watched(start)
        let open: @Sendable (Duration?) throws -> FileCacheStore = { age in
            try FileCacheStore(folder: place, limit: 1 << 20, maximumAge: age, backups: BackupExclusion()) { date.value }
        }
        let store = try open(.seconds(10 * 86_400))
        let (used, unused, new) = (Self.entry("/used"), Self.entry("/unused"), Self.entry("/new"))
        try await store.publish(used, body: Bytes("used"))
        try await store.publish(unused, body: Bytes("unused"))
        date.update { $0 = start + 9 * day }
        store.touch(used)
        date.update { $0 = start + 11 * day }
        // Reading removes nothing.
        #expect(try await store.lookup(unused.key).records.count == 1)
        try await store.publish(new, body: Bytes("new"))
        #expect(try await store.lookup(unused.key).records.isEmpty)
        #expect(try await store.statistics().evictions == 1)
        #expect(try await store.lookup(used.key).records.count == 1 && folder.files.count == 2)
        #expect(try await open(nil).statistics().entries == 2)
        #expect(try await open(.seconds(10 * 86_400)).statistics().entries == 0)
        #expect(folder.files.isEmpty)
    }

    /// A lookup brings all of a key.
    @Test func variantsOfOneKeyAreBounded() async throws {
        let folder = Folder()
        for store: any CacheStore in [MemoryCacheStore(), try FileCacheStore(folder: folder.make())] {
            for index in 0..<100 {
                var entry = Self.entry("/a")
                (entry.variant, entry.responseDate) = ("\(index)", Date(timeIntervalSince1970: Double(index)))
                #expect(try await store.publish(entry, body: Bytes("a")))
            }
            let variants = try await store.lookup(Self.entry("/a").key).records.map(\.entry.variant)
            #expect(Set(variants) == Set((36..<100).map(String.init)), "\(store.name)")
            #expect(try await store.statistics().entries == 64)
        }
        #expect(folder.files.count == 64)
    }

    @Test func filesAreTheirUsersAlone() async throws {
        let folder = Folder()
        try await FileCacheStore(folder: folder.make()).publish(Self.entry("/a?token=x"), body: Bytes("body"))
        let path = try #require(folder.files.first)
        let descriptor = FileDescriptor.openForReading(path)
        #expect(FileDescriptor.isPrivate(descriptor))
        FileDescriptor.closeFile(descriptor)
        #expect(!path.contains("token"))
    }

    // YTK-B2: metadata is read in a format of its own, which makes no objects of classes that a file names, and refuses what it did not write.
    @Test func entriesAreReadAsTheyWereWrittenOrNotAtAll() {
        var entry = Self.entry("/a")
        entry.headers = [.eTag: "\"e\"", .setCookie: "ü"]
        entry.terms = .init(version: 1, sensitiveData: "s", appVersion: "3")
        let bytes = entry.encoded
        #expect(CacheEntry(encoded: bytes) == entry)
        for length in 0..<bytes.count { #expect(CacheEntry(encoded: bytes.prefix(length)) == nil) }
        #expect(CacheEntry(encoded: bytes + [0]) == nil)
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            var damaged = bytes
            damaged[Int.random(in: 0..<damaged.count, using: &generator)] = .random(in: 0...255, using: &generator)
            // Whatever it says, it does not trap.
            _ = CacheEntry(encoded: damaged)
        }
    }
}
