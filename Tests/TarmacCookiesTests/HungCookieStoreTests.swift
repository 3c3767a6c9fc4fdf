import Dispatch
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store whose reading does not end holds no call longer than the call's own deadline.
@Suite("A cookie store that hangs", .timeLimit(.minutes(5)))
struct HungCookieStoreTests {
    /// Blocks the thread that reads until ``open()``.
    private final class Store: CookieStore {
        private let gate = DispatchSemaphore(value: 0)
        let readings = Watched(0)
        func load() throws -> [String: [Cookie]] {
            readings.update { $0 += 1 }
            gate.wait()
            return [:]
        }
        func save(_ cookies: [String: [Cookie]]) throws {}
        func open() { gate.signal() }
    }

    private let store = Store()
    private let time = ManualTime(date: start)
    private let stub = StubTransport { _ in .status(.ok, headers: [.setCookie: "a=1"]) }

    private func client() -> Client {
        let jar = CookieJar(store: store)
        return Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
            ($0.cookies, $0.deadline) = (.jar(jar), .seconds(5))
        }
    }

    @Test func aCallEndsAtItsDeadline() async throws {
        let client = client(), store = store
        defer { store.open() }
        async let end = #expect(throws: TarmacError.self) { try await client.get("/") }
        try await store.readings.wait { $0 == 1 }
        time.advance(by: .seconds(5))
        #expect(await end?.code == .deadlineExceeded)
        #expect(stub.requests.isEmpty)
    }

    @Test func aCallEndsWhenItIsCancelled() async throws {
        let client = client(), store = store
        defer { store.open() }
        let call = Task { try await client.get("/") }
        try await store.readings.wait { $0 == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func callsThatWaitGoOnAfterOneReading() async throws {
        let client = client(), store = store
        async let first = client.get("/1")
        try await store.readings.wait { $0 == 1 }
        async let second = client.get("/2")
        store.open()
        _ = try await (first, second)
        #expect(store.readings.value == 1)
        #expect(stub.requests.count == 2)
    }

    private static func warnings(_ recorder: EventRecorder) -> Int {
        recorder.events.count { if case .warning = $0.kind { true } else { false } }
    }

    /// The clock of the jar decides about its store.
    @Test func callsAfterALongReadingGoOnWithoutCookies() async throws {
        let clock = ManualTime(date: start), jar = CookieJar(store: store, time: clock), recorder = EventRecorder(), store = store
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
            ($0.cookies, $0.observers) = (.jar(jar), [recorder])
        }
        async let first = client.get("/1")
        try await store.readings.wait { $0 == 1 }
        try await clock.hasSleepers()
        clock.advance(by: CookieJar.readingLimit)
        _ = try await first
        // Neither waits, nor reads again.
        try await client.get("/2")
        #expect(store.readings.value == 1 && stub.requests.count == 2)
        #expect(Self.warnings(recorder) > 0)
        store.open()
        await eventually { !jar.needsLoading }
        try await client.get("/3")
        try await client.get("/4")
        #expect(stub.requests.last?.headers[.cookie] == "a=1")
    }

    /// Fails each time, and counts.
    private final class BrokenStore: CookieStore {
        struct Unreadable: Error {}
        let readings = Watched(0)
        func load() throws -> [String: [Cookie]] {
            readings.update { $0 += 1 }
            throw Unreadable()
        }
        func save(_ cookies: [String: [Cookie]]) throws {}
    }

    /// A second reading on the call's own thread could hold it beyond its deadline.
    @Test func aReadingThatFailsIsNotRepeatedByItsCall() async throws {
        let broken = BrokenStore(), jar = CookieJar(store: broken), recorder = EventRecorder()
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
            ($0.cookies, $0.observers) = (.jar(jar), [recorder])
        }
        try await client.get("/1")
        #expect(broken.readings.value == 1 && Self.warnings(recorder) > 0)
        // The next call tries once more.
        try await client.get("/2")
        #expect(broken.readings.value == 2)
        #expect(throws: BrokenStore.Unreadable.self) { try jar.removeCookies(at: start) }
    }

    /// Writes only when the test says so.
    private final class StuckStore: CookieStore {
        private let gate = DispatchSemaphore(value: 0)
        let writings = Watched(0)
        func load() throws -> [String: [Cookie]] { [:] }
        func save(_ cookies: [String: [Cookie]]) throws {
            writings.update { $0 += 1 }
            gate.wait()
        }
        func open() { gate.signal() }
    }

    /// Notes whether it was flushed.
    private final class Keeper: CookieKeeper {
        let isFlushed = Watched(false)
        var isDurable: Bool { true }
        func cookieField(for url: HTTPURL, scope: CookieScope, at date: Date) -> String? { nil }
        func keep(_ fields: [String], from url: HTTPURL, scope: CookieScope, at date: Date) {}
        func flush() { isFlushed.update { $0 = true } }
    }

    @Test func aShutdownDoesNotWaitForAWriteThatHangs() async throws {
        let stuck = StuckStore(), jar = CookieJar(store: stuck), keeper = Keeper(), isOver = Watched(false), time = time
        defer { stuck.open() }
        let stub = StubTransport { _ in .status(.ok, headers: [.setCookie: "a=1; Max-Age=99"]) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
            ($0.cookies, $0.principal) = (.jar(jar), "ann")
        }
        try await client.get("/1")
        try await client.get("/2") { $0.cookies = .keeper(keeper) }
        let end = Task {
            await client.shutdown()
            isOver.update { $0 = true }
        }
        try await stuck.writings.wait { $0 == 1 }
        await eventually {
            time.advance(by: .seconds(1))
            return isOver.value
        }
        await end.value
        #expect(keeper.isFlushed.value)
    }
}
