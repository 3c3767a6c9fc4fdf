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

/// What was asked for before a change or a purge, and arrives behind it, is stored by none of the ways an answer can come.
@Suite("Answers that are overtaken", .timeLimit(.minutes(5)))
struct CacheFlightTests {
    enum Way: CaseIterable { case load, validate, variants, complete, background }
    enum Overtaking: CaseIterable { case change, purge }

    private let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
    /// Whether a GET is answered.
    private let isOpen = Watched(true)

    private func response(_ way: Way, to request: Request) -> Response {
        var headers: HTTPFields = [.eTag: "\"e\""]
        switch way {
        case .load, .complete: headers[.cacheControl] = "max-age=60"
        case .validate: headers[.cacheControl] = "max-age=1"
        case .background: headers[.cacheControl] = "max-age=1, stale-while-revalidate=60"
        case .variants: (headers[.cacheControl], headers[.vary]) = ("max-age=60", "Foo")
        }
        if way == .variants, request.headers.contains(.ifNoneMatch) { return .status(.notModified, headers: headers) }
        guard way == .complete else { return .text("0123456789", headers: headers) }
        let isFirst = request.headers[.range] == "bytes=0-4"
        headers[.contentRange] = isFirst ? "bytes 0-4/10" : "bytes 5-9/10"
        var response = Response.text(isFirst ? "01234" : "56789", headers: headers)
        response.status = .partialContent
        return response
    }

    /// Answers a GET with the number of its answer, while that is open, and a change with nothing.
    private func numbering(_ headers: HTTPFields = [:]) -> StubTransport {
        let count = Watched(0)
        return StubTransport { [isOpen] request in
            guard request.method == .get else { return .status(.noContent) }
            let n = count.update {
                $0 += 1
                return $0
            }
            try await isOpen.wait { $0 }
            return .json(#"{"n":\#(n)}"#, headers: headers)
        }
    }

    @Test(arguments: Way.allCases, Overtaking.allCases)
    func isDeliveredAndNotStored(way: Way, overtaking: Overtaking) async throws {
        let stub = StubTransport { request in
            guard request.method == .get else { return .status(.noContent) }
            try await isOpen.wait { $0 }
            return response(way, to: request)
        }
        let client = Client(stub, time: time) { ($0.cache, $0.timeout, $0.idleTimeout) = (.http, .seconds(120), .seconds(120)) }
        @Sendable func get(_ fields: HTTPFields) async throws -> Response {
            try await client.send(raw: Request(.get, HTTPURL("https://s.example/n"), headers: fields))
        }
        let foo = HTTPField.Name("Foo") ?? .accept
        if way != .load {
            _ = try await get(way == .complete ? [.range: "bytes=0-4"] : [foo: "1"])
            #expect(try await client.cache.statistics().entries == 1)
            time.advance(by: .seconds(3))
        }
        isOpen.update { $0 = false }
        let call = Task { try await get([foo: "2"]) }
        try await stub.received(count: way == .load ? 1 : 2)
        switch overtaking {
        case .change: _ = try await client.send(raw: Request(.put, HTTPURL("https://s.example/n"), body: .text("x"))) { $0.cache = .off }
        case .purge: try await client.cache.removeAll()
        }
        isOpen.update { $0 = true }
        #expect(try await call.value.body.collected == Bytes("0123456789"))
        await eventually { client.engine.cache.isIdle }
        #expect(try await client.cache.statistics().entries == 0)
    }

    /// Whoever asks after a change neither waits with those who asked before it, nor stores what they are told.
    @Test(arguments: Overtaking.allCases, [CacheRule.http, .ttl(.seconds(60)) { $0.ignoredArguments = ["nonce"] }])
    func whoAsksAfterwardsAsksAnew(overtaking: Overtaking, rule: CacheRule) async throws {
        let stub = numbering([.cacheControl: "max-age=60"])
        let client = Client(stub, time: time) {
            ($0.cache, $0.timeout, $0.idleTimeout) = (rule, .seconds(120), .seconds(120))
        }
        isOpen.update { $0 = false }
        let before = Task { try await client.get("/n?nonce=1", as: Number.self).n }
        try await stub.received(count: 1)
        switch overtaking {
        case .change:
            let url = try HTTPURL("https://s.example/n?nonce=\(rule.isTimed ? 2 : 1)")
            _ = try await client.send(raw: Request(.put, url, body: .text("x"))) { $0.cache = .off }
        case .purge: try await client.cache.removeAll()
        }
        let after = Task { try await client.get("/n?nonce=1", as: Number.self).n }
        try await stub.received(count: overtaking == .change ? 3 : 2)
        isOpen.update { $0 = true }
        #expect(try await before.value == 1)
        #expect(try await after.value == 2)
        #expect(try await client.get("/n?nonce=1", as: Number.self).n == 2)
    }

    /// Answers under the app's own terms stand under URLs without the arguments that make no difference.
    @Test(arguments: [false, true])
    func aChangeCountsWhateverItsIgnoredArguments(isInFlight: Bool) async throws {
        let stub = numbering()
        let client = Client(stub, time: time) {
            $0.cache = .ttl(.seconds(60)) { $0.ignoredArguments = ["nonce"] }
            ($0.timeout, $0.idleTimeout) = (.seconds(120), .seconds(120))
        }
        isOpen.update { $0 = !isInFlight }
        let call = Task { try await client.get("/n?p=1&nonce=1", as: Number.self).n }
        if isInFlight { try await stub.received(count: 1) } else { _ = try await call.value }
        _ = try await client.send(raw: Request(.put, HTTPURL("https://s.example/n?p=1&nonce=2"), body: .text("x"))) { $0.cache = .off }
        isOpen.update { $0 = true }
        #expect(try await call.value == 1)
        #expect(try await client.get("/n?p=1&nonce=3", as: Number.self).n == 2)
        #expect(try await client.get("/n?p=1&nonce=4", as: Number.self).n == 2)
    }

    /// A streamed answer that cannot be stored takes the older one with it: nobody is to see that again.
    @Test(arguments: [true, false])
    func aStreamThatFindsNoRoomEndsTheOlderAnswer(isSlow: Bool) async throws {
        let store = GatedStore(), chunk = String(repeating: "x", count: 1 << 20), isLarge = Watched(false)
        let stub = StubTransport { _ in
            .chunks(isLarge.value ? Array(repeating: chunk, count: 40) : ["small"], headers: [.cacheControl: "max-age=60"])
        }
        let client = Client(stub, time: time) {
            ($0.cache, $0.cacheStore) = (.http, .store(store))
            ($0.timeout, $0.idleTimeout) = (.seconds(120), .seconds(120))
        }
        func read(_ rule: CacheRule) async throws -> Int {
            try await client.stream(.get("/log", as: String.self), configure: { $0.cache = rule }) { response in
                var length = 0
                for try await chunk in response.body { length += chunk.count }
                return length
            }
        }
        #expect(try await read(.http) == 5)
        try await client.cache.flush()
        #expect(await store.base.statistics().entries == 1)
        isLarge.update { $0 = true }
        // One that is slow leaves no room in line; one that is fast has none for so large an entry.
        if isSlow { store.isOpen.update { $0 = false } }
        #expect(try await read(.reload) == 40 << 20)
        store.isOpen.update { $0 = true }
        try await client.cache.flush()
        #expect(await store.base.statistics().entries == 0)
    }

    /// An invalidation that finds no room in line removes instead.
    @Test func anInvalidationIsNeverLost() async throws {
        let store = GatedStore(isOpen: false), backlog = CacheWriteQueue(store)
        func entry(_ url: String, _ id: UInt64) -> CacheEntry {
            CacheEntry(
                id: id, key: CacheKey(service: "s", environment: "e", url: url), headers: [:], requestDate: .distantPast, responseDate: .distantPast)
        }
        for id in 0..<UInt64(PendingCacheWrites.maximumItems) { #expect(await backlog.publish(entry("/\(id)", id), body: Bytes("a"), for: nil)) }
        var invalid = entry("/7", 7)
        invalid.isInvalidated = true
        await backlog.update(invalid, for: nil)
        #expect(backlog.lookupNow(invalid.key)?.records.isEmpty ?? true)
        store.isOpen.update { $0 = true }
        await backlog.drained()
        #expect(await store.base.lookup(invalid.key).records.isEmpty)
    }
}
