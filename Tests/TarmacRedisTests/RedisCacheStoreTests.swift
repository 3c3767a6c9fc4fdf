#if Redis && canImport(Glibc)
import Foundation
import HTTPTypes
import Tarmac
import TarmacCache
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacRedis

@Suite("Redis: the cache", .timeLimit(.minutes(5)))
struct RedisCacheStoreTests {
    private func entry(_ path: String, principal: String = "ann", tags: Set<String> = []) -> CacheEntry {
        let date = Date(timeIntervalSince1970: 1_767_225_600)
        return CacheEntry(
            key: CacheKey(service: "s", environment: "production", principal: principal, url: "https://s.example\(path)"), requestDate: date,
            responseDate: date, tags: tags)
    }

    private func collected(_ body: ResponseBody?) async throws -> Bytes? {
        switch body {
        case .bytes(let bytes): bytes
        case .stream(let stream): try await stream.collect(upTo: .max)
        case nil: nil
        }
    }

    private func text(_ reply: RedisValue) -> String {
        switch reply {
        case .null: ""
        case .integer(let number): "\(number)"
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .array(let values): values.map(text).joined(separator: "\n")
        }
    }

    /// Everything that the server has: names and contents.
    private func everything(_ server: RedisServer) async throws -> String {
        let client = server.client()
        var all = ""
        for name in try await client.run("KEYS", "*").array ?? [] {
            all += text(name) + "\n"
            for command in ["GET", "HGETALL", "SMEMBERS"] { if let reply = try? await client.run(command, text(name)) { all += text(reply) + "\n" } }
            for command in ["LRANGE", "ZRANGE"] { if let reply = try? await client.run(command, text(name), "0", "-1") { all += text(reply) + "\n" } }
        }
        return all
    }

    @Test(arguments: CacheStoreConformance.Case.allCases, [false, true])
    func conforms(name: CacheStoreConformance.Case, isSealed: Bool) async throws {
        let server = try await RedisServer()
        try await CacheStoreConformance.run(name) { limit in
            try RedisCacheStore(
                server.client(), limit: Int64(limit), prefix: "\(UInt64.random(in: .min ... .max)):", sealer: isSealed ? XORSealer() : nil)
        }
    }

    @Test func everyProcessFindsWhatOneHasStored() async throws {
        let server = try await RedisServer(), large = Bytes((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let one = try RedisCacheStore(server.client(), sealer: XORSealer()), other = try RedisCacheStore(server.client(), sealer: XORSealer())
        for (path, body) in [("/small", Bytes("small")), ("/large", large)] {
            #expect(try await one.publish(entry(path), body: body))
            let record = try #require(try await other.lookup(entry(path).key).records.first)
            let streamed = try await collected(other.body(of: record.entry))
            #expect(streamed == body && (record.body == nil || record.body == body))
            #expect(try await other.lookup(entry(path, principal: "bob").key).records.isEmpty)
        }
        #expect(try await other.remove(.url("https://s.example/small")) == 1)
        #expect(try await one.lookup(entry("/small").key).records.isEmpty)
    }

    /// A server with `allkeys-lfu` evicts first what is read least: the sets by which a removal finds entries.
    @Test(arguments: ["*:term:*", "*:ids"]) func whatNoRemovalWouldFindIsNotFoundEither(evicted: String) async throws {
        let server = try await RedisServer(), store = try RedisCacheStore(server.client())
        #expect(try await store.publish(entry("/a", tags: ["t"]), body: Bytes("a")))
        let record = try #require(try await store.lookup(entry("/a").key).records.first)
        for name in try await server.client().run("KEYS", evicted).array ?? [] { _ = try await server.client().run("UNLINK", text(name)) }
        #expect(try await store.body(of: record.entry) == nil)
        #expect(try await store.lookup(entry("/a").key).records.isEmpty)
        #expect(try await store.publish(entry("/a", tags: ["t"]), body: Bytes("b")))
        #expect(try await store.remove(.tag("t")) == 1)
    }

    /// The length is beside the sealed head, where whoever has the server can change it.
    @Test(arguments: [Int64.max, 0, 4]) func aLengthThatIsNotThatOfThePartIsDamage(length: Int64) async throws {
        let server = try await RedisServer(), store = try RedisCacheStore(server.client(), sealer: XORSealer())
        var part = entry("/part")
        part.part = CacheEntry.Part(offset: 10, total: 100)
        #expect(try await store.publish(part, body: Bytes("hello")))
        #expect(try await store.lookup(part.key).records.count == 1)
        let names = try await server.client().run("KEYS", "*:entry:*").array ?? []
        for name in names { _ = try await server.client().run("HSET", text(name), "length", "\(length)") }
        #expect(names.count == 1)
        #expect(try await store.lookup(part.key).records.isEmpty)
    }

    @Test func aSealedCacheHasNothingReadable() async throws {
        let server = try await RedisServer()
        for sealer in [nil, XORSealer()] {
            let store = try RedisCacheStore(server.client(), prefix: sealer == nil ? "a:" : "b:", sealer: sealer)
            _ = try await store.publish(entry("/planted", principal: "planted", tags: ["planted"]), body: Bytes("planted"))
            _ = try await store.publish(entry("/planted/2"), body: Bytes([UInt8](repeating: 65, count: 300_000)))
            let all = try await everything(server)
            #expect(all.contains("planted") == (sealer == nil))
            #expect(all.contains(String(repeating: "A", count: 100)) == (sealer == nil))
            _ = try await server.client().run("FLUSHALL")
        }
    }

    @Test func anotherKeyMakesMissesAndNoFaults() async throws {
        let server = try await RedisServer()
        let old = try RedisCacheStore(server.client(), sealer: XORSealer(keys: [1]))
        let both = try RedisCacheStore(server.client(), sealer: XORSealer(keys: [2, 1]))
        _ = try await old.publish(entry("/a"), body: Bytes("old"))
        #expect(try await both.lookup(entry("/a").key).records.count == 1)
        _ = try await both.publish(entry("/b"), body: Bytes("new"))
        let found = try await old.lookup(entry("/b").key)
        #expect(found.records.isEmpty && !found.wasCorrupt)
        let stranger = try RedisCacheStore(server.client(), sealer: XORSealer(keys: [3]))
        await #expect(throws: TarmacError.self) { try await stranger.lookup(entry("/a").key) }
        // Everything can be removed without a key.
        #expect(try await stranger.remove(.all) == 2)
    }

    @Test func aServerThatWasEmptiedGetsOneSaltForAll() async throws {
        let server = try await RedisServer()
        let one = try RedisCacheStore(server.client(), sealer: XORSealer())
        #expect(try await one.publish(entry("/a"), body: Bytes("a")))
        _ = try await server.client().run("FLUSHALL")
        let other = try RedisCacheStore(server.client(), sealer: XORSealer())
        #expect(try await other.publish(entry("/a"), body: Bytes("b")))
        // With its old salt the first process would neither find nor remove what the other has stored.
        await #expect(throws: TarmacError.self) { try await one.remove(.url("https://s.example/a")) }
        #expect(try await one.remove(.url("https://s.example/a")) == 1)
        #expect(try await other.lookup(entry("/a").key).records.isEmpty)
        // A process without a sealer does not mix with the others.
        await #expect(throws: TarmacError.self) { try await RedisCacheStore(server.client()).lookup(entry("/a").key) }
    }

    @Test func removalLeavesNothingBehind() async throws {
        let server = try await RedisServer(), store = try RedisCacheStore(server.client())
        for number in 0..<600 {
            let body = number % 100 == 0 ? Bytes([UInt8](repeating: 1, count: 300_000)) : Bytes("\(number)")
            #expect(try await store.publish(entry("/\(number)", tags: ["all", "\(number % 7)"]), body: body))
        }
        #expect(try await store.remove(.tag("3")) == 86)
        #expect(try await store.remove(CacheSelection { $0.urlPrefix = "https://s.example/1" }) > 0)
        _ = try await store.remove(.all)
        let statistics = try await store.statistics()
        #expect(statistics.entries == 0 && statistics.bytes == 0)
        let names = try await server.client().run("KEYS", "*").array?.map(text) ?? []
        #expect(Set(names) == ["tarmac:{cache}:clock", "tarmac:{cache}:total"])
    }

    @Test func whatTheServerHasEvictedItselfIsAMiss() async throws {
        let server = try await RedisServer(), store = try RedisCacheStore(server.client())
        let large = entry("/large")
        _ = try await store.publish(large, body: Bytes([UInt8](repeating: 1, count: 600_000)))
        _ = try await store.publish(entry("/small"), body: Bytes("small"))
        let reading = try #require(try await store.body(of: large))
        for name in try await server.client().run("KEYS", "*:body:*").array ?? [] { _ = try await server.client().run("DEL", text(name)) }
        await #expect(throws: TarmacError.self) { try await self.collected(reading) }
        for name in try await server.client().run("KEYS", "*:entry:*").array ?? [] { _ = try await server.client().run("DEL", text(name)) }
        for path in ["/large", "/small"] { #expect(try await store.lookup(entry(path).key).records.isEmpty) }
        #expect(try await store.list(.all, after: nil, limit: 10).isEmpty)
        #expect(try await store.publish(entry("/small"), body: Bytes("new")))
        #expect(try await store.lookup(entry("/small").key).records.first?.body == Bytes("new"))
    }

    @Test func aBodyThatWasNotPublishedExpires() async throws {
        let server = try await RedisServer(), store = try RedisCacheStore(server.client())
        let writer = try #require(try await store.makeWriter(for: entry("/a")))
        try await writer.append(Bytes([UInt8](repeating: 1, count: 300_000)))
        let names = try await server.client().run("KEYS", "*:body:*").array?.map(text) ?? []
        #expect(names.count == 1)
        let rest = try await server.client().run("TTL", names.first ?? "").integer ?? -1
        #expect(rest > 0 && rest <= 120)
        await writer.abort()
        #expect(try await server.client().run("EXISTS", names.first ?? "").integer == 0)
    }

    // MARK: Calls

    private func client(_ store: RedisCacheStore, _ requests: Locked<Int>, principal: String) -> Client {
        let stub = StubTransport { _ in
            requests.withLock { $0 += 1 }
            return .json(#"["value"]"#, headers: [.cacheControl: "max-age=600"])
        }
        return Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            $0.cache = .http
            $0.cacheStore = .store(store)
            $0.principal = principal
        }
    }

    @Test func processesShareResponsesAndUsersDoNot() async throws {
        let server = try await RedisServer(), requests = Locked(0)
        let clients = try ["ann", "ann", "bob"].map { try client(RedisCacheStore(server.client(), sealer: XORSealer()), requests, principal: $0) }
        for client in clients {
            for _ in 0..<2 { #expect(try await client.get("/a", as: [String].self) == ["value"]) }
            try await client.cache.flush()
        }
        #expect(requests.withLock { $0 } == 2)
        for client in clients { await client.shutdown() }
    }

    @Test func withoutTheServerCallsGoOnUncached() async throws {
        let server = try await RedisServer(), requests = Locked(0)
        let client = try client(RedisCacheStore(server.client()), requests, principal: "ann")
        _ = try await client.get("/a", as: [String].self)
        try await client.cache.flush()
        _ = try await client.get("/a", as: [String].self)
        #expect(requests.withLock { $0 } == 1)
        try await server.crash()
        for _ in 0..<3 { #expect(try await client.get("/a", as: [String].self) == ["value"]) }
        #expect(requests.withLock { $0 } > 1)
        try await server.start()
        try await eventually(trying: {
            let before = requests.withLock { $0 }
            _ = try await client.get("/a", as: [String].self)
            return requests.withLock { $0 } == before
        })
        await client.shutdown()
    }
}
#endif
