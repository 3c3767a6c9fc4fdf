import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Answers are written behind the response, never in front of it.
@Suite("Writing behind", .timeLimit(.minutes(5)))
struct CacheWriteQueueTests {
    private let recorder = EventRecorder()
    private static let fresh: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"e\""]

    private func client(_ stub: StubTransport, _ store: any CacheStore, _ configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(stub) {
            ($0.cache, $0.cacheStore, $0.observers) = (.http, .store(store), [recorder])
            ($0.timeout, $0.idleTimeout) = (.seconds(120), .seconds(120))
            configure(&$0)
        }
    }

    private func counting() -> StubTransport {
        let count = Watched(0)
        return StubTransport { _ in
            let n = count.update {
                $0 += 1
                return $0
            }
            return .json(#"{"n":\#(n)}"#, headers: Self.fresh)
        }
    }

    private var notices: [CacheNotice.Kind] {
        recorder.events.compactMap { event -> CacheNotice.Kind? in
            if case .stage(CacheEvent.failed(let notice)) = event.kind { notice.kind } else { nil }
        }
    }

    // YTK-28: answers are written after they are delivered.
    @Test func aCallDoesNotWaitForItsStore() async throws {
        let store = GatedStore(isOpen: false), stub = counting()
        let client = client(stub, store)
        #expect(try await client.get("/n", as: Number.self).n == 1)
        // What waits is found as if it were there.
        #expect(try await client.get("/n", as: Number.self).n == 1)
        #expect(try await client.landed(for: .get("/n", as: Number.self)).source == .cache)
        #expect(await store.base.statistics().entries == 0)
        store.isOpen.update { $0 = true }
        try await client.cache.flush()
        #expect(await store.base.statistics().entries == 1)
        #expect(stub.requests.count == 1)
        #expect(recorder.names.filter { $0 == "cacheStored" }.count == 1)
    }

    @Test func aShutdownWaitsForWhatIsToBeWritten() async throws {
        let store = GatedStore(isOpen: false)
        let client = client(counting(), store)
        _ = try await client.get("/n", as: Number.self)
        async let end: Void = client.shutdown()
        try await store.writes.wait { !$0.isEmpty }
        store.isOpen.update { $0 = true }
        await end
        #expect(await store.base.statistics().entries == 1)
    }

    // YTK-28: the reader of a streamed answer reads at its own pace whatever the store does.
    @Test(arguments: [true, false])
    func aReaderDoesNotWaitForTheStore(fails: Bool) async throws {
        let store = GatedStore(isOpen: false)
        store.fails.update { $0 = fails }
        let client = client(StubTransport { _ in .chunks(["one ", "two ", "three"], headers: Self.fresh) }, store)
        let text = try await client.stream(.get("/log", as: String.self)) { response in
            var text = ""
            for try await chunk in response.body { text += String(decoding: chunk.array, as: UTF8.self) }
            return text
        }
        #expect(text == "one two three")
        #expect(await store.base.statistics().entries == 0)
        store.isOpen.update { $0 = true }
        try await client.cache.flush()
        #expect(await store.base.list(.all, after: nil, limit: 10).map(\.bodyLength) == (fails ? [] : [13]))
        #expect(notices == (fails ? [.unwritable] : []))
    }

    // YTK-28: a streamed answer is written as it is read.
    @Test func aStreamIsWrittenAsItIsRead() async throws {
        let store = GatedStore()
        let client = client(StubTransport { _ in .chunks(["one ", "two ", "three"], headers: Self.fresh) }, store)
        try await client.stream(.get("/log", as: String.self)) { response in
            var pieces = 0
            for try await _ in response.body {
                pieces += 1
                // The store gets this piece before the next one is asked for.
                let count = pieces
                try await store.writes.wait { writes in writes.filter { $0 == "append" }.count >= count }
            }
            #expect(pieces > 1)
        }
        try await client.cache.flush()
        #expect(await store.base.list(.all, after: nil, limit: 10).map(\.bodyLength) == [13])
    }

    // YTK-28: the store in memory has an answer at once, one in a folder after it was delivered.
    @Test func onlyTheStoreInMemoryIsWrittenAtOnce() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-cache-\(UInt64.random(in: .min ... .max))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let memory = MemoryCacheStore()
        #expect(CacheWriteQueue(memory).isImmediate)
        let files = try FileCacheStore(folder: folder)
        #expect(!CacheWriteQueue(files).isImmediate)
        let client = client(counting(), memory)
        _ = try await client.get("/n", as: Number.self)
        #expect(await memory.statistics().entries == 1)
    }

    /// What the line cannot hold is not stored, and the reader does not notice.
    @Test func aStoreThatIsMuchSlowerThanABodyDoesNotGetIt() async throws {
        let store = GatedStore(isOpen: false)
        let chunk = String(repeating: "x", count: 1 << 20)
        let client = client(StubTransport { _ in .chunks(Array(repeating: chunk, count: 40), headers: Self.fresh) }, store)
        let length = try await client.stream(.get("/log", as: String.self)) { response in
            var length = 0
            for try await chunk in response.body { length += chunk.count }
            return length
        }
        #expect(length == 40 << 20)
        store.isOpen.update { $0 = true }
        try await client.cache.flush()
        #expect(await store.base.statistics().entries == 0)
    }

    /// A stream without bytes waits for the store only with its end.
    @Test func theEndsOfManyBodiesDoNotFillTheMemoryBeforeAStoreThatHangs() async throws {
        let store = GatedStore(isOpen: false)
        let client = client(StubTransport { _ in .chunks([], headers: Self.fresh) }, store)
        for number in 0..<4_800 {
            try await client.stream(.get("/\(number)", as: String.self)) { response in for try await _ in response.body {} }
        }
        let queue = try #require(client.engine.cache.writeQueues.last)
        #expect(queue.pendingCount > 0 && queue.pendingCount <= PendingCacheWrites.maximumItems + PendingCacheWrites.maximumRemovals + 1)
        store.isOpen.update { $0 = true }
        await client.shutdown()
    }

    /// An answer that is too large for its store takes the older one with it.
    @Test func anAnswerThatFindsNoRoomEndsTheOlderOne() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-cache-\(UInt64.random(in: .min ... .max))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bodies = Watched([String(repeating: "x", count: 5000), "small"])
        let stub = StubTransport { _ in .text(bodies.update { $0.popLast() ?? "" }, headers: Self.fresh) }
        let client = client(stub, try FileCacheStore(folder: folder, limit: 10_000))
        #expect(try await client.get("/t", as: String.self) == "small")
        try await client.cache.flush()
        #expect(try await client.get("/t", as: String.self) { $0.cache = .reload }.count == 5000)
        #expect(try await client.cache.statistics().entries == 0)
    }

    @Test func aBodyThatIsNotReadToItsEndLeavesNothing() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-cache-\(UInt64.random(in: .min ... .max))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let client = client(StubTransport { _ in .chunks(["one ", "two ", "three"], headers: Self.fresh) }, try FileCacheStore(folder: folder))
        _ = try await client.stream(.get("/log", as: String.self)) { response in
            for try await _ in response.body { break }
        }
        try await client.cache.flush()
        #expect(try await client.cache.statistics().entries == 0)
        await client.shutdown()
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        #expect(Set(names).isSubset(of: [BackupExclusion.tagName, "moved", "parts"]))
    }

    /// Disk full, read-only, gone: calls go on uncached, and one event tells until it works again.
    @Test func aFaultIsToldOnce() async throws {
        let store = GatedStore(), stub = counting()
        store.fails.update { $0 = true }
        let client = client(stub, store)
        for n in 1...3 {
            #expect(try await client.get("/n", as: Number.self).n == n)
            try await client.cache.flush()
        }
        #expect(notices == [.unwritable])
        store.fails.update { $0 = false }
        #expect(try await client.get("/n", as: Number.self).n == 4)
        try await client.cache.flush()
        #expect(try await client.get("/n", as: Number.self).n == 4)
        store.fails.update { $0 = true }
        _ = try await client.get("/m", as: Number.self)
        try await client.cache.flush()
        #expect(notices == [.unwritable, .unwritable])
    }

    /// A disk that has become read-only goes on showing what a change has made wrong; it is not believed.
    @Test func whatCannotBeRemovedIsNotUsed() async throws {
        let store = GatedStore(), stub = counting()
        let client = client(stub, store)
        _ = try await client.get("/n", as: Number.self)
        try await client.cache.flush()
        store.fails.update { $0 = true }
        _ = try await client.post("/n", as: Number.self)
        try await client.cache.flush()
        #expect(await store.base.statistics().entries == 1)
        #expect(try await client.get("/n", as: Number.self).n == 3)
        try await client.cache.flush()
        // What was owed goes before what is stored next, and does not take it along.
        store.fails.update { $0 = false }
        #expect(try await client.get("/n", as: Number.self).n == 4)
        try await client.cache.flush()
        #expect(try await client.get("/n", as: Number.self).n == 4)
    }

    /// A flush makes up for it, though nothing else is written.
    /// It is shown to nobody all the same, and the other stores are purged.
    @Test(arguments: [true, false]) func aPurgeThatFailsIsKeptToAndReachesTheOthers(isFirst: Bool) async throws {
        let stores = [GatedStore(), GatedStore()], stub = counting(), client = client(stub, stores[0])
        func get(_ store: GatedStore) async throws -> ResponseSource {
            try await client.landed(for: .get("/n", as: Number.self)) { $0.cacheStore = .store(store) }.source
        }
        for store in stores { #expect(try await get(store) == .network) }
        try await client.cache.flush()
        for store in stores { #expect(try await get(store) == .cache) }
        let failing = stores[isFirst ? 0 : 1], other = stores[isFirst ? 1 : 0]
        failing.fails.update { $0 = true }
        await #expect(throws: (any Error).self) { try await client.cache.removeAll() }
        #expect(await other.base.statistics().entries == 0)
        #expect(await failing.base.statistics().entries == 1)
        #expect(try await get(failing) == .network)
        try? await client.cache.flush()
        failing.fails.update { $0 = false }
        try await client.cache.flush()
        #expect(await failing.base.statistics().entries == 0)
        #expect(try await get(failing) == .network)
        try await client.cache.flush()
        #expect(try await get(failing) == .cache)
    }

    @Test func whatCouldNotBeRemovedGoesWithAFlush() async throws {
        let store = GatedStore(), client = client(counting(), store)
        _ = try await client.get("/n", as: Number.self)
        try await client.cache.flush()
        store.fails.update { $0 = true }
        _ = try await client.post("/n", as: Number.self)
        try await client.cache.flush()
        store.fails.update { $0 = false }
        try await client.cache.flush()
        #expect(await store.base.statistics().entries == 0)
    }

    @Test func aStoreThatHangsHoldsNoShutdownUpForEver() async throws {
        let store = GatedStore(isOpen: false), client = Client(transport: .stub { _ in .status(.ok) }), state = client.engine.cache
        let key = CacheKey(service: "s", environment: "e", url: "/a")
        let entry = CacheEntry(key: key, headers: [:], requestDate: .distantPast, responseDate: .distantPast)
        #expect(await state.writeQueue(of: store).publish(entry, body: Bytes("a"), for: nil))
        await state.flush(within: .zero)
        #expect(await store.base.statistics().entries == 0)
        store.isOpen.update { $0 = true }
        await state.flush()
        #expect(await store.base.statistics().entries == 1)
    }

    /// A removal is seen by the next call, before it is written.
    @Test func aChangeIsSeenAtOnce() async throws {
        let store = GatedStore(), stub = counting()
        let client = client(stub, store)
        _ = try await client.get("/n", as: Number.self)
        try await client.cache.flush()
        store.isOpen.update { $0 = false }
        _ = try await client.post("/n", as: Number.self)
        #expect(try await client.get("/n", as: Number.self).n == 3)
        store.isOpen.update { $0 = true }
        await client.shutdown()
        #expect(await store.base.statistics().entries == 1)
    }
}

/// What waits, and what is seen of it.
@Suite("What waits to be written")
struct PendingCacheWritesTests {
    /// A line in a box, which an expectation may change.
    private final class Box {
        var line: PendingCacheWrites
        init(limit: Int) { line = PendingCacheWrites(limit: limit) }
        func enter(_ item: PendingCacheWrites.Item) -> Bool { line.enter(item) }
        func leave() { line.leave() }
        func shown(_ records: [CacheRecord]) -> [CacheRecord] { line.change(of: PendingCacheWritesTests.key)?.applied(to: records) ?? records }
    }
    private static let key = CacheKey(service: "s", environment: "e", url: "/a")

    private static func entry(_ id: UInt64, variant: String = "", tag: String = "") -> CacheEntry {
        CacheEntry(id: id, key: key, variant: variant, headers: [.eTag: tag], requestDate: .distantPast, responseDate: .distantPast)
    }
    private static func item(_ write: PendingCacheWrites.Write) -> PendingCacheWrites.Item { .init(write, nil) }
    private static func publish(_ id: UInt64, _ body: Bytes = Bytes("b"), variant: String = "") -> PendingCacheWrites.Item {
        item(.publish(entry(id, variant: variant), body))
    }

    @Test(
        arguments: [
            ([publish(2)], [2]), ([publish(2, variant: "x")], [1, 2]), ([item(.remove(.url("/a")))], []), ([item(.remove(.url("/b")))], [1]),
            ([publish(2), item(.remove(.all))], []), ([item(.remove(.all)), publish(2)], [2]), ([item(.update(entry(1, tag: "new")))], [1]),
            ([item(.update(entry(3)))], [1]),
        ] as [([PendingCacheWrites.Item], [UInt64])])
    func whatWaitsIsSeen(items: [PendingCacheWrites.Item], expected: [UInt64]) {
        let line = Box(limit: 100)
        for item in items { #expect(line.enter(item)) }
        let shown = line.shown([CacheRecord(Self.entry(1), body: Bytes("a"))])
        #expect(shown.map(\.entry.id) == expected)
        if case .update(let entry)? = items.first?.write, entry.id == 1 { #expect(shown.first?.entry.headers[.eTag] == "new") }
        for _ in items { line.leave() }
        #expect(line.line.isEmpty && line.line.change(of: Self.key) == nil)
    }

    @Test func bodiesFindRoomUpToTheLimit() {
        let line = Box(limit: 10)
        #expect(line.enter(Self.publish(1, Bytes("123456"))))
        #expect(!line.enter(Self.publish(2, Bytes("12345"))))
        #expect(line.enter(Self.publish(3, Bytes("1234"))))
        line.leave()
        #expect(line.enter(Self.publish(4, Bytes("123456"))))
        line.leave()
        line.leave()
        // Alone it may be larger.
        #expect(line.enter(Self.publish(5, Bytes("12345678901"))))
    }

    @Test func removalsAlwaysFindRoomAndMemoryStaysFlat() {
        let line = Box(limit: 10)
        for index in 0..<5000 { #expect(line.enter(Self.item(.remove(.url("/\(index)"))))) }
        var count = 0
        while !line.line.isEmpty {
            line.leave()
            count += 1
        }
        #expect(count <= 1026)
        for index in 0..<5000 { _ = line.enter(Self.item(.remove(.url("/\(index)")))) }
        #expect(line.shown([CacheRecord(Self.entry(1))]).isEmpty)
    }

    @Test func whatCouldNotBeRemovedIsRememberedUntilItCan() {
        let line = Box(limit: 10)
        line.line.distrust(.url("/a"))
        #expect(line.shown([CacheRecord(Self.entry(1))]).isEmpty)
        for index in 0..<100 { line.line.distrust(.url("/\(index)")) }
        #expect(line.shown([CacheRecord(Self.entry(1))]).isEmpty)
        #expect(line.line.distrusted.count <= 65)
        for selection in line.line.distrusted { line.line.trust(selection) }
        #expect(line.line.change(of: Self.key) == nil)
    }
}
