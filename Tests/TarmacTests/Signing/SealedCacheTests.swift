import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacSigning

/// A store that outlives the process, or says so.
private final class LastingStore: CacheStore {
    private let memory = MemoryCacheStore()
    let isSealed: Bool
    let published = Watched(0)
    let lookedUp = Watched(0)

    init(isSealed: Bool) { self.isSealed = isSealed }

    var name: String { "lasting" }
    var isDurable: Bool { true }

    func lookup(_ key: CacheKey) async throws -> CacheLookup {
        lookedUp.update { $0 += 1 }
        return await memory.lookup(key)
    }
    func body(of entry: CacheEntry) async throws -> ResponseBody? { await memory.body(of: entry) }
    func makeWriter(for entry: CacheEntry) async throws -> (any CacheWriter)? {
        published.update { $0 += 1 }
        return await memory.makeWriter(for: entry)
    }
    func update(_ entry: CacheEntry) async throws -> Bool { await memory.update(entry) }
    func remove(_ selection: CacheSelection) async throws -> Int { await memory.remove(selection) }
    func list(_ selection: CacheSelection, after id: UInt64?, limit: Int) async throws -> [CacheEntry] {
        await memory.list(selection, after: id, limit: limit)
    }
    func statistics() async throws -> CacheStatistics { await memory.statistics() }
}

/// What came encrypted or verified does not lie about in the clear, and what lies about is not taken for it.
@Suite("Encrypted and verified answers in the cache", .timeLimit(.minutes(5)))
struct SealedCacheTests {
    private let stub = StubTransport { request in
        var answer = Response.numbered(.flipped("{\"n\":1}", request), request)
        if request.headers[.flip] == nil { answer = .numbered(.json("{\"n\":1}"), request) }
        answer.headers[.cacheControl] = "max-age=600"
        return answer
    }

    private func client(_ store: LastingStore, _ rule: CacheRule, _ protection: Protection) -> Client {
        Client(stub) {
            $0.cache = rule
            $0.cacheStore = .store(store)
            protection.configure(&$0)
        }
    }

    enum Protection: CaseIterable {
        case none, encrypted, verified
        func configure(_ options: inout Options) {
            switch self {
            case .none: break
            case .encrypted: options.encryption = .cipher(Flip())
            case .verified:
                options.signing = .signer(Counting())
                options.verification = .verifier(Echoed())
            }
        }
    }

    private static let rules: [CacheRule] = [.http, .ttl(.seconds(600))]

    @Test(arguments: rules, [Protection.encrypted, .verified])
    func aPlainStoreIsNeitherGivenThemNorAsked(rule: CacheRule, protection: Protection) async throws {
        let store = LastingStore(isSealed: false)
        let first = client(store, rule, protection)
        for _ in 0..<2 { #expect(try await first.get("/a", as: Number.self) == Number(n: 1)) }
        #expect(store.published.value == 0 && store.lookedUp.value == 0)
        #expect(stub.requests.count == 1, "the client's memory has it")
        // The next process begins with nothing.
        _ = try await client(store, rule, protection).get("/a", as: Number.self)
        #expect(stub.requests.count == 2)
    }

    @Test(arguments: rules, [Protection.encrypted, .verified])
    func aSealedStoreKeepsThem(rule: CacheRule, protection: Protection) async throws {
        let store = LastingStore(isSealed: true)
        for _ in 0..<2 {
            let process = client(store, rule, protection)
            #expect(try await process.get("/a", as: Number.self) == Number(n: 1))
            // Stores are written behind the answers.
            try await process.cache.flush()
        }
        #expect(store.published.value == 1 && stub.requests.count == 1)
    }

    /// Anybody on the way can have made up what came without protection.
    @Test(arguments: rules, [Protection.encrypted, .verified])
    func whatCameWithoutThemIsNoAnswer(rule: CacheRule, protection: Protection) async throws {
        for isSealed in [false, true] {
            let store = LastingStore(isSealed: isSealed), before = stub.requests.count
            let client = client(store, rule, .none)
            _ = try await client.get("/a", as: Number.self)
            _ = try await client.get("/a", as: Number.self)
            #expect(stub.requests.count == before + 1)
            _ = try await client.get("/a", as: Number.self) { protection.configure(&$0) }
            #expect(stub.requests.count == before + 2)
        }
    }
}
