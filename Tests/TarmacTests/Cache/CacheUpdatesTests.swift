import TarmacTesting
import Testing

import Tarmac
@testable @_spi(TarmacRooms) import TarmacCore
@testable import TarmacHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored value once, then the server's or its error.
@Suite("Cache: updates of a screen", .timeLimit(.minutes(5)))
struct CacheUpdatesTests {
    enum Failure: CaseIterable { case offline, unavailable }

    @Test(arguments: Failure.allCases, [CacheRule.http, .ttl(.seconds(60))])
    func aStoredValueComesOnceAndThenTheErrorOfTheServer(_ failure: Failure, rule: CacheRule) async throws {
        let isUp = Watched(true), time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
        let stub = StubTransport { _ in
            if isUp.value { return .json(#"{"n":1}"#, headers: [.cacheControl: "max-age=60, stale-if-error=600"]) }
            if failure == .offline { throw TarmacError(.connectionRefused, phase: .connecting, "no network") }
            return .text("", status: .serviceUnavailable)
        }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
            ($0.cache, $0.retry) = (rule, .never)
        }
        _ = try await client.send(.get("/n", as: Number.self))
        time.advance(by: .seconds(90))
        isUp.update { $0 = false }
        var sources: [ResponseSource] = []
        let error = await #expect(throws: TarmacError.self) {
            for try await update in client.updates(.get("/n", as: Number.self)) { sources.append(update.source) }
        }
        #expect(sources == [.staleCache])
        #expect(error?.code == (failure == .offline ? .connectionRefused : .unacceptableStatus))
        // A call that has shown nothing yet is still answered.
        #expect(try await client.send(.get("/n", as: Number.self)).n == 1)
        await client.shutdown()
    }

    @Test func anEmptyCacheCostsOneCallAndNoReportedFailure() async throws {
        let recorder = EventRecorder()
        let client = Client(transport: .stub(StubTransport { _ in .json(#"{"n":1}"#) }), services: [Service("s", host: "https://s.example")]) {
            ($0.cache, $0.observers) = (.http, [recorder])
        }
        var sources: [ResponseSource] = []
        for try await update in client.updates(.get("/n", as: Number.self)) { sources.append(update.source) }
        #expect(sources == [.network])
        #expect(recorder.names.filter { $0 == "started" }.count == 1, "\(recorder.names)")
        #expect(!recorder.names.contains("failed"))
        await client.shutdown()
    }

    /// The newest values stay at hand above a store that reads a disk, until they are removed.
    @Test func theNewestValuesOfAFolderAreAtHandUntilTheyAreRemoved() async throws {
        let folder = Folder(), count = Locked(0)
        let stub = StubTransport { _ in .json(#"{"n":\#(count.withLock { $0 += 1; return $0 })}"#) }
        func client(_ store: FileCacheStore) -> Client {
            Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
                ($0.cache, $0.cacheStore) = (.ttl(.seconds(60)), .store(store))
            }
        }
        func endpoint(_ path: String) -> InlineEndpoint<Number> { .get(path, as: Number.self) }
        let store = try FileCacheStore(folder: folder.path), first = client(store)
        for path in ["/a", "/b"] { _ = try await first.send(endpoint(path)) }
        try await first.cache.flush()
        #expect(first.cached(endpoint("/a"))?.n == 1 && first.cached(endpoint("/b"))?.n == 2)
        _ = try await first.send(endpoint("/a")) { $0.cache = .reload }
        #expect(first.cached(endpoint("/a"))?.n == 3)
        _ = try await first.cache.remove(.url("https://s.example/a"))
        #expect(first.cached(endpoint("/a")) == nil && first.cached(endpoint("/b"))?.n == 2)
        // Another client has read nothing yet; then it knows what a call of its own has read.
        let second = client(store)
        #expect(second.cached(endpoint("/b")) == nil)
        #expect(try await second.send(endpoint("/b")).n == 2)
        #expect(second.cached(endpoint("/b"))?.n == 2)
        _ = try await second.cache.remove(.all)
        #expect(second.cached(endpoint("/b")) == nil)
        await first.shutdown()
        await second.shutdown()
    }

    /// A lookup reads what a removal is about to remove.
    @Test func whatIsRemovedIsNotAtHandAfterwards() async throws {
        let store = GatedStore()
        let client = Client(transport: .stub(StubTransport { _ in .json(#"{"n":1}"#) }), services: [Service("s", host: "https://s.example")]) {
            ($0.cache, $0.cacheStore) = (.ttl(.seconds(60)), .store(store))
        }
        let endpoint: InlineEndpoint<Number> = .get("/n", as: Number.self)
        _ = try await client.send(endpoint)
        try await client.cache.flush()
        #expect(client.cached(endpoint)?.n == 1)
        store.isOpen.update { $0 = false }
        async let removal = client.cache.remove(.all)
        _ = try await store.writes.wait { $0.contains("remove") }
        _ = try await client.send(endpoint) { $0.cache = .onlyCached }
        store.isOpen.update { $0 = true }
        _ = try await removal
        #expect(client.cached(endpoint) == nil)
        await client.shutdown()
    }

    /// What an interceptor adds is part of the key.
    @Test func theStoredValueOfACallWithAnInterceptorComesFirst() async throws {
        let login = Intercepting { request, chain in
            var request = request
            request.headers[.authorization] = "Bearer ann"
            return try await chain.proceed(request)
        }
        let client = Client(transport: .stub(StubTransport { _ in .json(#"{"n":1}"#) }), services: [Service("s", host: "https://s.example")]) {
            ($0.cache, $0.interceptors) = (.ttl(.seconds(60)), [login])
        }
        _ = try await client.send(.get("/n", as: Number.self))
        var sources: [ResponseSource] = []
        for try await update in client.updates(.get("/n", as: Number.self)) { sources.append(update.source) }
        #expect(sources == [.cache, .network])
        await client.shutdown()
    }

    private final class Folder: Sendable {
        let path = "\(FileManager.default.temporaryDirectory.path)/tarmac-\(UInt64.random(in: .min ... .max))"
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }
}
