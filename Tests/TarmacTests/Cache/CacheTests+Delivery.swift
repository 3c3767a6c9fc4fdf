import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCache

/// What a caller receives of the cache, and what it is told.
extension CacheTests {
    // MARK: Cached, then fresh

    /// YTK-28, YTK-32, YTK-B1; DESIGN §3.
    @Test func theFirstFrameIsThereAtOnce() async throws {
        let client = client(counting(Self.fresh)) { $0.cache = .http }
        #expect(client.cached(GetNumber()) == nil)
        _ = try await client.send(GetNumber())
        #expect(client.cached(GetNumber()) == Number(n: 1))
        time.advance(by: .seconds(3600))
        #expect(client.cached(GetNumber()) == Number(n: 1))
        #expect(client.cached(GetNumber()) { $0.principal = "bob" } == nil)
        #expect(client.cached(GetNumber()) { $0.cache = .off } == nil)
        #expect(count.value == 1)
    }

    @Test func updatesAreTheStoredThenTheServers() async throws {
        let client = client(counting(Self.fresh)) { $0.cache = .http }
        var seen: [(Int, Bool)] = []
        for _ in 1...2 {
            for try await update in client.updates(GetNumber()) { seen.append((update.value.n, update.source.isCache)) }
        }
        #expect(seen.map(\.0) == [1, 1, 2] && seen.map(\.1) == [false, true, false])
    }

    /// What may change something is sent once, not looked for and then sent.
    @Test func updatesOfAPOSTSendItOnce() async throws {
        let client = client(counting(Self.fresh)) { $0.cache = .http }
        var seen: [Int] = []
        for try await update in client.updates(.post("/n", as: Number.self)) { seen.append(update.value.n) }
        #expect(seen == [1] && count.value == 1)
    }

    @Test func leavingTheLoopAsksNobody() async throws {
        let client = client(counting(Self.fresh)) { $0.cache = .http }
        _ = try await client.send(GetNumber())
        for try await update in client.updates(GetNumber()) {
            #expect(update.source == .cache)
            break
        }
        #expect(count.value == 1)
    }

    // MARK: What is told

    /// RFC 9211.
    @Test func cacheStatusTellsWhy() async throws {
        let client = client(counting([.cacheControl: "max-age=10", .eTag: "\"e\""])) { $0.cache = .http }
        func status(_ configure: (inout Options) -> Void = { _ in }) async throws -> String? {
            try await client.landed(for: GetNumber(), configure: configure).headers[.cacheStatus]
        }
        #expect(try await status() == "tarmac; fwd=uri-miss; stored")
        time.advance(by: .seconds(4))
        #expect(try await status() == "tarmac; hit; ttl=6")
        #expect(try await status { $0.cache = .reload } == "tarmac; fwd=request; stored")
        time.advance(by: .seconds(14))
        #expect(try await status() == "tarmac; fwd=stale; stored")
    }

    @Test func aStoreThatFailsCostsNoCall() async throws {
        let client = client(counting(Self.fresh)) { ($0.cache, $0.cacheStore) = (.http, .store(FailingStore())) }
        for n in 1...2 {
            #expect(try await client.send(GetNumber()).n == n)
            try await client.cache.flush()
        }
        let notices = recorder.events.compactMap { event -> CacheNotice.Kind? in
            if case .stage(CacheEvent.failed(let notice)) = event.kind { notice.kind } else { nil }
        }
        #expect(notices == [.unreadable, .unwritable])
    }

    // YTK-B3: a part of what is kept can be removed too.
    @Test func tagsPurge() async throws {
        let client = client(counting(Self.fresh)) { $0.cache = .http }
        _ = try await client.send(GetNumber()) { $0.tags = ["feed"] }
        #expect(try await client.cache.remove(.tag("other")) == 0)
        #expect(try await client.cache.remove(.tag("feed")) == 1)
        #expect(try await client.send(GetNumber()).n == 2)
    }
}

/// A disk that is gone.
private final class FailingStore: CacheStore {
    private struct Gone: Error {}
    var name: String { "failing" }
    var isDurable: Bool { true }
    func lookup(_ key: CacheKey) async throws -> CacheLookup { throw Gone() }
    func body(of entry: CacheEntry) async throws -> ResponseBody? { throw Gone() }
    func makeWriter(for entry: CacheEntry) async throws -> (any CacheWriter)? { throw Gone() }
    func update(_ entry: CacheEntry) async throws -> Bool { throw Gone() }
    func remove(_ selection: CacheSelection) async throws -> Int { throw Gone() }
    func list(_ selection: CacheSelection, after id: UInt64?, limit: Int) async throws -> [CacheEntry] { throw Gone() }
    func statistics() async throws -> CacheStatistics { throw Gone() }
}
