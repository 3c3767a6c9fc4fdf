import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacCache

/// What is damaged in a folder is no answer.
@Suite("Answers that are kept and damaged", .timeLimit(.minutes(5)))
struct SeedCacheDamageTests {
    // YTK-30, YTK-B2: metadata and body are one file with a checksum: what is damaged or cut off is no answer; YTK-25: the reason is one for
    // both, and comes before the others.
    @Test(arguments: ["body", "metadata", "cut"], [false, true])
    func halfAnAnswerIsNone(damage: String, isOld: Bool) async throws {
        let folder = try TemporaryFolder()
        let store = try FileCacheStore(folder: folder.path("cache"))
        let (stub, time, told) = (SeedCacheKeyTests.counting(), ManualTime(), Locked<[CacheMiss]>([]))
        let client = SeedCacheKeyTests.client(stub, time: time) { $0.cacheStore = .store(store) }
        _ = try await client.send(GetUser(id: 7))
        try await client.cache.flush()
        if isOld { time.advance(by: .seconds(181)) }
        let files = FileManager.default.enumerator(atPath: folder.path("cache"))?.compactMap { $0 as? String } ?? []
        let place = try #require(
            files.map { folder.path("cache/\($0)") }.first { path in
                FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self).contains("ann") } ?? false
            })
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: place)))
        let body = Array(#"{"id":1,"name":"ann"}"#.utf8)
        let start = try #require((0...(bytes.count - body.count)).first { Array(bytes[$0..<$0 + body.count]) == body })
        switch damage {
        case "body": bytes[start + 6] = UInt8(ascii: "9")
        case "metadata": bytes[bytes.count - 20] ^= 1
        default: bytes.removeLast(5)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: place))
        let reopened = try FileCacheStore(folder: folder.path("cache"))
        let fresh = SeedCacheKeyTests.client(stub, time: time) {
            $0.cacheStore = .store(reopened)
            $0.cache = .ttl(.seconds(180), version: isOld ? 3 : 2)
            $0.observers = [
                .closure { event in
                    if case .stage(CacheEvent.missed(let why)) = event.kind, let miss = CacheMiss(rawValue: why) { told.withLock { $0.append(miss) } }
                }
            ]
        }
        // Before the others: a call that asks anew, the age and the version.
        #expect(try await fresh.send(GetUser(id: 7)) { if isOld { $0.cache = .reload } }.id == 2)
        #expect(told.withLock { $0 } == [.corrupt])
    }

    // YTK-29, YTK-30, YTK-B2: data of more than 64 KiB are not read with their metadata: their damage is found last, and they are not delivered.
    @Test(
        arguments: [
            ("", CacheMiss.corrupt), ("reload", .validation), ("age", .expired), ("version", .version), ("sensitive data", .sensitiveData),
            ("app version", .appVersion),
        ])
    func theDataOfALargeAnswerAreLookedAtLast(term: String, miss: CacheMiss) async throws {
        let folder = try TemporaryFolder()
        let store = try FileCacheStore(folder: folder.path("cache"))
        let (count, time, told) = (Locked(0), ManualTime(), Locked<[CacheMiss]>([]))
        let name = String(repeating: "a", count: 100_000)
        let stub = StubTransport { _ in .json(#"{"id":\#(count.withLock { $0 += 1; return $0 }),"name":"\#(name)"}"#) }
        let client = SeedCacheKeyTests.client(stub, time: time) { $0.cacheStore = .store(store) }
        _ = try await client.send(GetUser(id: 7))
        try await client.cache.flush()
        if term == "age" { time.advance(by: .seconds(181)) }
        try Self.damage(folder)
        let reopened = try FileCacheStore(folder: folder.path("cache"))
        let fresh = SeedCacheKeyTests.client(stub, time: time) {
            $0.cacheStore = .store(reopened)
            $0.observers = [
                .closure { event in
                    if case .stage(CacheEvent.missed(let why)) = event.kind, let miss = CacheMiss(rawValue: why) { told.withLock { $0.append(miss) } }
                }
            ]
        }
        let user = try await fresh.send(GetUser(id: 7)) {
            switch term {
            case "version": $0.cache = .ttl(.seconds(180), version: 3)
            case "sensitive data": $0.cacheSensitiveData = "bo"
            case "app version": $0.cacheAppVersion = "4"
            case "reload": $0.cache = .reload
            default: break
            }
        }
        #expect(user.id == 2 && user.name == name)
        #expect(told.withLock { $0 } == [miss])
    }

    // YTK-25, YTK-30: damage of larger data is found before a download writes a byte of them: it asks the server.
    @Test func damageOfLargeDataReachesNoDownload() async throws {
        let (folder, target) = (try TemporaryFolder(), try TemporaryFolder())
        let store = try FileCacheStore(folder: folder.path("cache"))
        let name = String(repeating: "a", count: 100_000)
        let told = Locked<[CacheMiss]>([])
        let stub = StubTransport { _ in .json(#"{"id":7,"name":"\#(name)"}"#) }
        let client = SeedCacheKeyTests.client(stub) { $0.cacheStore = .store(store) }
        _ = try await client.send(GetUser(id: 7))
        try await client.cache.flush()
        try Self.damage(folder)
        let reopened = try FileCacheStore(folder: folder.path("cache"))
        let fresh = SeedCacheKeyTests.client(stub) {
            $0.cacheStore = .store(reopened)
            $0.observers = [
                .closure { event in
                    if case .stage(CacheEvent.missed(let why)) = event.kind, let miss = CacheMiss(rawValue: why) { told.withLock { $0.append(miss) } }
                }
            ]
        }
        try await fresh.send(Download(.get("/users/7"), to: target.path("f")))
        #expect(stub.requests.count == 2 && target.text("f")?.contains(name) == true)
        #expect(told.withLock { $0 } == [.corrupt])
    }

    /// Changes a byte of the large answer in a folder. It stays JSON, so the checksum alone shows the damage.
    private static func damage(_ folder: TemporaryFolder) throws {
        let files = FileManager.default.enumerator(atPath: folder.path("cache"))?.compactMap { $0 as? String } ?? []
        let place = try #require(
            files.map { folder.path("cache/\($0)") }.first { path in (FileManager.default.contents(atPath: path)?.count ?? 0) > 100_000 })
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: place)))
        #expect(bytes[50_000] == UInt8(ascii: "a"))
        bytes[50_000] = UInt8(ascii: "b")
        try Data(bytes).write(to: URL(fileURLWithPath: place))
    }
}
