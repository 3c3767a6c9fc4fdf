import HTTPTypes
import TarmacTesting
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

/// The folder of a file store: what backups make of it (YTK-31), and what memory it costs.
@Suite("Cache folder", .timeLimit(.minutes(5)))
struct CacheFolderTests {
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-folder-\(UInt64.random(in: .min ... .max))").path
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// YTK-31: each time it is opened, also a folder of the app's own choosing.
    @Test func backupsLeaveItOut() throws {
        let folder = Folder(), marked = Locked<[String]>([])
        let backups = BackupExclusion { folder, isExcluded in
            #expect(isExcluded)
            marked.withLock { $0.append(folder) }
        }
        _ = try FileCacheStore(folder: folder.path, limit: 1000, backups: backups)
        let tag = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/CACHEDIR.TAG"))
        #expect(tag.starts(with: "Signature: 8a477f597d28d172789f06886806bc55".utf8))
        // Restoring a folder may lose the attribute: it is set each time.
        _ = try FileCacheStore(folder: folder.path, limit: 1000, backups: backups)
        #expect(marked.withLock { $0 } == [folder.path, folder.path])
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/CACHEDIR.TAG")) == tag)
    }

    #if canImport(Darwin)
    // YTK-31: the attribute is there, with the public initializer.
    @Test func theAttributeIsSet() throws {
        let folder = Folder()
        _ = try FileCacheStore(folder: folder.path)
        let values = try URL(fileURLWithPath: folder.path).resourceValues(forKeys: [.isExcludedFromBackupKey])
        #expect(values.isExcludedFromBackup == true)
    }
    #endif

    @Test(arguments: [(nil, true), ("", true), ("Signature: 8a477f597d28d172789f06886806bc55\n", false), ("something else", true)])
    func aTagIsWrittenWhereThereIsNone(tag: String?, isMissing: Bool) {
        let missing = BackupExclusion.missing(tag: tag.map { Array($0.utf8) })
        #expect(missing.contains { if case .tag = $0 { true } else { false } } == isMissing)
        #expect(missing.contains { if case .attribute = $0 { true } else { false } })
    }

    /// Where each request selects another answer, neither the answers of one key nor the tags a server is asked with become ever more.
    @Test func variantsAreFew() async throws {
        let folder = Folder(), store = try FileCacheStore(folder: folder.path), foo = try #require(HTTPField.Name("Foo"))
        let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
        let stub = StubTransport { request in
            let n = request.headers[foo] ?? "", tag = n == "75" ? String(repeating: "x", count: 300) : n
            return .text(n, headers: [.cacheControl: "max-age=1000", .vary: "Foo", .eTag: "\"\(tag)\""])
        }
        let client = Client(stub, time: time) { ($0.cache, $0.cacheStore) = (.http, .store(store)) }
        for n in 1...80 {
            _ = try await client.send(raw: Request(.get, HTTPURL("https://s.example/n"), headers: [foo: "\(n)"]))
            time.advance(by: .seconds(1))
        }
        try await client.cache.flush()
        #expect(try await store.statistics().entries <= 65)
        let tags = (71...79).reversed().filter { $0 != 75 }.map { "\"\($0)\"" } + ["\"70\"", "\"69\""]
        #expect(stub.requests.last?.headers[.ifNoneMatch] == tags.joined(separator: ", "))
        #expect(try await client.send(raw: Request(.get, HTTPURL("https://s.example/n"), headers: [foo: "79"])).source == .cache)
        await client.shutdown()
    }

    /// A tag is no answer: it is neither counted nor evicted.
    @Test func theTagIsNoAnswer() async throws {
        let folder = Folder()
        _ = try FileCacheStore(folder: folder.path)
        let store = try FileCacheStore(folder: folder.path, limit: 0)
        #expect(try await store.statistics().entries == 0)
        #expect(try await store.remove(.all) == 0)
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/CACHEDIR.TAG"))
    }

    /// 100 to 250 bytes for each file: its place among all, and one for its URL.
    @Test func memoryForEachFileIsBounded() {
        #expect(MemoryLayout<FileSlot>.stride <= 64)
    }

    @Test(arguments: [
        ("1-2-3-4.answer", true), ("ffffffffffffffff-0-a-f.answer", true), ("10000000000000000-2-3-4.answer", false), ("1-2-3.answer", false),
        ("1-2-3-4-5.answer", false), ("1-2--4.answer", false), ("1-2-3-.answer", false), ("1-2-3-4.part", false), ("1-2-3-G.answer", false),
        (".answer", false), ("CACHEDIR.TAG", false),
    ])
    func theNameOfAFileIsThatOfAnAnswerOrNot(name: String, isAnswer: Bool) {
        let slot = FileSlot(name: name, size: 7)
        #expect((slot != nil) == isAnswer)
        if let slot { #expect(slot.name == name && slot.size == 7) }
    }

    /// Whatever is put in and taken out in whatever order, the files of a URL are found, and no others.
    @Test func filesOfAURLAreFoundInWhateverOrderTheyCameAndWent() {
        var generator = SeededGenerator(seed: 7)
        var shelf = FileCacheIndex()
        var model: [UInt64: CacheEntry] = [:]
        func entry(_ url: Int, _ variant: Int) -> CacheEntry {
            CacheEntry(
                id: .random(in: .min ... .max, using: &generator), key: CacheKey(service: "s", environment: "e", url: "/\(url)"), variant: "\(variant)",
                requestDate: .distantPast, responseDate: .distantPast)
        }
        for _ in 0..<3000 {
            if Bool.random(using: &generator), let id = model.keys.sorted().randomElement(using: &generator) {
                model[id] = nil
                let removed = shelf.remove(id)
                #expect(removed?.id == id)
            } else {
                let new = entry(.random(in: 0..<5, using: &generator), .random(in: 0..<6, using: &generator))
                let replaced = model.values.filter { $0.key == new.key && $0.variant == new.variant }.map(\.id)
                for id in replaced { model[id] = nil }
                model[new.id] = new
                let gone = shelf.insert(FileSlot(new, size: 1)).map(\.id)
                #expect(gone == replaced)
            }
            let url = Int.random(in: 0..<5, using: &generator)
            let key = CacheKey(service: "s", environment: "e", url: "/\(url)")
            #expect(Set(shelf.slots(key).map(\.id)) == Set(model.values.filter { $0.key == key }.map(\.id)))
        }
        #expect(shelf.statistics.entries == model.count && shelf.statistics.bytes == Int64(model.count))
    }
}
