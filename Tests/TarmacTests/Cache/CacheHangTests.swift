import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCache
import TarmacSupport
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// A store that does not answer costs a call its wait once, and no call after it anything.
@Suite("A store that hangs", .timeLimit(.minutes(5)))
struct CacheHangTests {
    private let recorder = EventRecorder(), time = ManualTime(), store = SilentStore()
    private let stub = StubTransport { _ in .text("fresh", headers: [.cacheControl: "max-age=60"]) }

    private func client() -> Client {
        Client(stub, time: time) {
            ($0.cache, $0.cacheStore, $0.observers) = (.http, .store(store), [recorder])
            ($0.timeout, $0.idleTimeout) = (.unlimited, .unlimited)
        }
    }

    private var faults: [CacheNotice.Kind] {
        recorder.events.compactMap { event -> CacheNotice.Kind? in
            if case .stage(CacheEvent.failed(let notice)) = event.kind { notice.kind } else { nil }
        }
    }

    @Test(arguments: ["lookup", "body"])
    func aCallGoesOnWithoutIt(where place: String) async throws {
        let client = client()
        _ = try await client.get("/n", as: String.self)
        try await client.cache.flush()
        store.silent.update { $0 = place }
        async let late = client.get("/n", as: String.self)
        try await store.asked.wait { $0 == 1 }
        try await time.hasSleepers()
        time.advance(by: CacheWriteQueue.answerLimit)
        #expect(try await late == "fresh")
        #expect(stub.requests.count == 2)
        // It is not asked again.
        try await client.cache.flush()
        #expect(try await client.get("/n", as: String.self) == "fresh")
        #expect(store.asked.value == 1 && stub.requests.count == 3)
        // But once it has answered.
        store.silent.update { $0 = "" }
        let queue = client.engine.cache.writeQueues.last
        await eventually { queue?.questions.isEmpty == true }
        try await client.cache.flush()
        let again = try await client.landed(for: .get("/n", as: String.self))
        #expect(again.source == .cache)
        #expect(faults == [.unreadable])
    }

    // YTK-B3: a call that waits for its cache is cancelled as any other.
    @Test func aCancelledCallLeavesAtOnce() async throws {
        let client = client()
        store.silent.update { $0 = "lookup" }
        let call = Task { try await client.get("/n", as: String.self) }
        try await store.asked.wait { $0 == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(faults.isEmpty)
        store.silent.update { $0 = "" }
    }

    /// Calls with short deadlines go on in time, and together they learn what one patient call would.
    @Test func callsWithShortDeadlinesDoNotEachWaitForIt() async throws {
        let client = client()
        store.silent.update { $0 = "lookup" }
        for number in 1...4 {
            async let call = client.get("/\(number)", as: String.self) { $0.deadline = .seconds(1) }
            try await store.asked.wait { $0 == number }
            try await time.hasSleepers()
            time.advance(by: .milliseconds(500))
            #expect(try await call == "fresh")
        }
        #expect(faults.isEmpty)
        // The first question is two seconds old.
        #expect(try await client.get("/5", as: String.self) { $0.deadline = .seconds(1) } == "fresh")
        #expect(store.asked.value == 4 && stub.requests.count == 5)
        #expect(faults == [.unreadable])
        store.silent.update { $0 = "" }
    }

    @Test func aDeadlineHoldsBeforeAStore() async throws {
        let client = client()
        store.silent.update { $0 = "lookup" }
        async let call = client.get("/n", as: String.self) { $0.deadline = .seconds(1) }
        try await store.asked.wait { $0 == 1 }
        try await time.hasSleepers()
        time.advance(by: .seconds(1))
        do {
            _ = try await call
            Issue.record("it answered")
        } catch let error as TarmacError { #expect(error.code == .deadlineExceeded) }
        #expect(stub.requests.isEmpty && faults.isEmpty)
        store.silent.update { $0 = "" }
    }
}

/// A store whose answers to some questions do not come.
private final class SilentStore: CacheStore {
    let base = MemoryCacheStore()
    /// Which question stays unanswered.
    let silent = Watched("")
    /// How many of those there were.
    let asked = Watched(0)

    var name: String { "silent" }
    var isDurable: Bool { true }

    private func pass(_ what: String) async throws {
        guard silent.value == what else { return }
        asked.update { $0 += 1 }
        try await silent.wait { $0.isEmpty }
    }

    func lookup(_ key: CacheKey) async throws -> CacheLookup {
        try await pass("lookup")
        // Bodies are to be asked for.
        return CacheLookup(await base.lookup(key).records.map { CacheRecord($0.entry) })
    }
    func body(of entry: CacheEntry) async throws -> ResponseBody? {
        try await pass("body")
        return await base.body(of: entry)
    }
    func publish(_ entry: CacheEntry, body: Bytes) async throws -> Bool { await base.publish(entry, body: body) }
    func makeWriter(for entry: CacheEntry) async throws -> (any CacheWriter)? { await base.makeWriter(for: entry) }
    func update(_ entry: CacheEntry) async throws -> Bool { await base.update(entry) }
    func remove(_ selection: CacheSelection) async throws -> Int { await base.remove(selection) }
    func list(_ selection: CacheSelection, after id: UInt64?, limit: Int) async -> [CacheEntry] { await base.list(selection, after: id, limit: limit) }
    func statistics() async -> CacheStatistics { await base.statistics() }
}
