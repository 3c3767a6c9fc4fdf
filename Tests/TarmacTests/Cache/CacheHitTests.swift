import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Cache hits", .timeLimit(.minutes(5)))
struct CacheHitTests {
    private struct Marking: Interceptor {
        func intercept(_ request: Request, chain: Chain) async throws -> Response {
            var response = try await chain.proceed(request)
            response.headers.append(HTTPField(name: .server, value: "marked"))
            return response
        }
    }

    /// RFC 9111 §5.1, RFC 9211 §2.4: hits of one second are of one age, and what somebody adds to one is not in the next.
    @Test func eachHitHasItsOwnAgeAndFields() async throws {
        let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
        let stub = StubTransport { _ in .json(#"{"n":1}"#, headers: [.cacheControl: "max-age=60"]) }
        let client = Client(stub, time: time) {
            $0.cache = .http
            $0.interceptors = [Marking()]
        }
        for (pause, age) in [(0, nil), (0, "0"), (0, "0"), (3, "3"), (0, "3"), (56, "59")] as [(Int, String?)] {
            time.advance(by: .seconds(pause))
            let headers = try await client.landed(for: .get("/n", as: Number.self)).headers
            #expect(headers[values: .server] == ["marked"])
            guard let age, let number = Int(age) else { continue }
            #expect(headers[values: .age] == [age] && headers[values: .cacheStatus] == ["tarmac; hit; ttl=\(60 - number)"])
        }
        #expect(stub.requests.count == 1)
        await client.shutdown()
    }

    /// Parsing the fields of a stored response costs more than the rest of a hit. After the fields were parsed once, the stored ones
    /// say that the response is stale and all hits still use the parsed ones.
    @Test(arguments: [nil, "Accept-Language"]) func aHundredHitsParseTheFieldsOnce(vary: String?) async throws {
        let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600)), store = MemoryCacheStore()
        let stub = StubTransport { _ in
            var fields: HTTPFields = [.cacheControl: "max-age=1", .contentLanguage: "en"]
            fields[.vary] = vary
            return .json(#"{"n":1}"#, headers: fields)
        }
        let client = Client(stub, time: time) {
            ($0.cache, $0.cacheStore) = (.http, .store(store))
            $0.headers["Accept-Language"] = "en"
        }
        func entry() async throws -> CacheEntry { try #require(await store.list(.all, after: nil, limit: 1).first) }
        func get() async throws -> Landed<Number> { try await client.landed(for: .get("/n", as: Number.self)) }
        #expect(try await get().source == .network)
        #expect(try await get().source == .cache)
        let parsed = try #require(await entry().facts)
        var lasting = try await entry()
        lasting.headers[.cacheControl] = "max-age=1000"
        lasting.headers[.server] = "marked"
        try await entry().facts = CacheFacts(lasting)
        time.advance(by: .seconds(10))
        for _ in 0..<100 {
            let landed = try await get()
            #expect(landed.source == .cache && landed.headers[.server] == "marked")
        }
        let last = try await entry()
        #expect(last.facts !== parsed && last.headers[.cacheControl] == "max-age=1")
        #expect(stub.requests.count == 1)
        await client.shutdown()
    }

    /// YTK-25: a damaged answer is a miss whose reason is told, and the server's takes its place.
    @Test(arguments: [100, 300_000]) func aDamagedAnswerIsAMissAndIsReplaced(count: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-hit-\(UInt64.random(in: .min ... .max))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let recorder = EventRecorder(), store = try FileCacheStore(folder: folder)
        let text = String(repeating: "x", count: count)
        let client = Client(StubTransport { _ in .text(text, headers: [.cacheControl: "max-age=60"]) }) {
            ($0.cache, $0.cacheStore, $0.observers, $0.timeout) = (.http, .store(store), [recorder], .seconds(120))
        }
        func get() async throws -> ResponseSource {
            let landed = try await client.landed(for: .get("/t", as: String.self))
            #expect(landed.value == text)
            try await client.cache.flush()
            return landed.source
        }
        #expect(try await get() == .network)
        let name = try #require(FileManager.default.subpathsOfDirectory(atPath: folder).first { $0.hasSuffix(".answer") })
        var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
        bytes[count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        #expect(try await get() == .network)
        #expect(try await get() == .cache)
        let misses = recorder.events.compactMap { event in
            if case .stage(CacheEvent.missed(let why)) = event.kind, let miss = CacheMiss(rawValue: why) { miss } else { nil }
        }
        #expect(misses == [.missing, .corrupt])
        #expect(recorder.names.filter { $0 == "cacheFailed" }.count == 1)
        await client.shutdown()
    }

    /// YTK-25: where nothing may be sent, a damaged answer is `.notCached`, whether its body is read with the lookup or after it.
    @Test(arguments: [100, 300_000]) func aDamagedAnswerIsNotAskedForAnewWhereNothingMayBeSent(count: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-hit-\(UInt64.random(in: .min ... .max))").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let recorder = EventRecorder(), store = try FileCacheStore(folder: folder)
        let text = String(repeating: "x", count: count)
        let stub = StubTransport { _ in .text(text, headers: [.cacheControl: "max-age=60"]) }
        let client = Client(stub) {
            ($0.cache, $0.cacheStore, $0.observers, $0.timeout) = (.http, .store(store), [recorder], .seconds(120))
        }
        _ = try await client.landed(for: .get("/t", as: String.self))
        try await client.cache.flush()
        let name = try #require(FileManager.default.subpathsOfDirectory(atPath: folder).first { $0.hasSuffix(".answer") })
        var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
        bytes[count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        let error = await #expect(throws: TarmacError.self) {
            _ = try await client.landed(for: .get("/t", as: String.self)) { $0.cache = .onlyCached }
        }
        #expect(error?.code == .notCached)
        #expect(stub.requests.count == 1)
        let misses = recorder.events.compactMap { event in
            if case .stage(CacheEvent.missed(let why)) = event.kind, let miss = CacheMiss(rawValue: why) { miss } else { nil }
        }
        #expect(misses == [.missing, .corrupt])
        await client.shutdown()
    }

    /// Law 7: what a call sends in the place of what all calls send is its own, and to ask without is not to ask with it.
    @Test func aCallsOwnLoginTellsItApartThoughSomebodyIsNamed() async throws {
        let stub = StubTransport { request in
            let who = request.headers[.authorization] ?? request.headers[HTTPField.Name("X-API-Key") ?? .age] ?? "nobody"
            return .json(#"{"s":"\#(who)"}"#, headers: [.cacheControl: "max-age=60"])
        }
        let client = Client(stub) {
            ($0.cache, $0.principal) = (.http, "server")
            $0.headers["Authorization"] = "Bearer app"
        }
        func ask(_ configure: (inout Options) -> Void) async throws -> String? { try await client.get("/n", as: JSON.self, configure: configure)["s"].string }
        for _ in 1...2 {
            #expect(try await ask { _ in } == "Bearer app")
            #expect(try await ask { $0.authenticator = .bearer("ann") } == "Bearer ann")
            #expect(try await ask { $0.authenticator = .bearer("bob") } == "Bearer bob")
            #expect(try await ask { $0.headers["Authorization"] = "Bearer cy" } == "Bearer cy")
            #expect(try await ask { $0.headers.remove("Authorization") } == "nobody")
        }
        #expect(stub.requests.count == 5)
        await client.shutdown()
    }

    enum Login: CaseIterable {
        case fixedToken, key, query, own, nameless
        static let secret = "hunter2"

        func configure(_ options: inout Options) {
            if self != .nameless { options.principal = "ann" }
            switch self {
            case .fixedToken, .nameless: options.authenticator = .bearer(Self.secret)
            case .key: options.headers["X-API-Key"] = Self.secret
            case .query: options.authenticator = .apiKey(Self.secret, query: "key")
            case .own: break
            }
        }
    }

    /// What all calls of a client send tells nobody apart once somebody is named, so a file may have the answers; what a call sends by
    /// itself does (law 7).
    @Test(arguments: Login.allCases)
    func aNamedPrincipalNeedsNoCredentialsInItsKey(login: Login) async throws {
        let store = GatedStore()
        let stub = StubTransport { _ in .json(#"{"n":1}"#, headers: [.cacheControl: "max-age=60"]) }
        let client = Client(stub) {
            ($0.cache, $0.cacheStore) = (.http, .store(store))
            login.configure(&$0)
        }
        for _ in 1...2 {
            _ = try await client.get("/n", as: Number.self) { if login == .own { $0.authenticator = .bearer(Login.secret) } }
        }
        try await client.cache.flush()
        #expect(stub.requests.count == 1)
        #expect(await store.base.statistics().entries == ([.own, .nameless].contains(login) ? 0 : 1))
        _ = try await client.get("/n", as: Number.self) { $0.authenticator = .bearer("another") }
        _ = try await client.get("/n", as: Number.self) { $0.principal = "bob" }
        #expect(stub.requests.count == 3)
        let texts = try await client.cache.entries().map(\.key.text)
        #expect(texts.allSatisfy { !$0.contains(Login.secret) })
        await client.shutdown()
    }

    /// What is looked up anew when a client is shut down is kept, if its answer comes soon; else it ends with the calls.
    @Test(arguments: [true, false])
    func aShutdownWaitsForWhatIsLookedUpAnew(comes: Bool) async throws {
        let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600)), store = MemoryCacheStore()
        let stub = StubTransport { _ in .json(#"{"n":1}"#, headers: [.cacheControl: "max-age=1, stale-while-revalidate=60"]) }
        let client = Client(stub, time: time) { ($0.cache, $0.cacheStore, $0.timeout, $0.deadline) = (.http, .store(store), .unlimited, .unlimited) }
        func get() async throws { _ = try await client.get("/n", as: Number.self) }
        try await get()
        time.advance(by: .seconds(3))
        stub.hold()
        try await get()
        try await stub.received(count: 2)
        let shutdown = Task { await client.shutdown() }
        await eventually { time.nextDeadline.map { $0 <= CacheState.revalidationLimit } ?? false }
        if comes { stub.release() } else { time.advance(by: CacheState.revalidationLimit) }
        await shutdown.value
        #expect(client.engine.cache.isIdle && stub.inFlight == 0)
        let received = await store.list(.all, after: nil, limit: 1).map(\.responseDate.timeIntervalSince1970)
        #expect(received == [comes ? 1_767_225_603 : 1_767_225_600])
    }
}
