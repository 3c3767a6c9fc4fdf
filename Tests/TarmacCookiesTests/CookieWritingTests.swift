import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@_spi(TarmacRooms) import TarmacCore
@testable import TarmacCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When the changes of a jar reach its store.
@Suite("Cookies written behind calls", .timeLimit(.minutes(5)))
struct CookieWritingTests {
    private final class Store: CookieStore {
        let writes = Watched<[CookieChanges]>([])
        let attempts = Watched(0)
        let isBroken = Watched(false)
        func load() throws -> [String: [Cookie]] { [:] }
        func save(_ cookies: [String: [Cookie]]) throws {}
        func apply(_ changes: CookieChanges) throws {
            // Read before the attempt is known: the test mends the store as soon as it is.
            let fails = isBroken.value
            attempts.update { $0 += 1 }
            if fails { throw CancellationError() }
            writes.update { $0.append(changes) }
        }
        var names: [[String]] { writes.value.map { $0.principals.values.joined().map(\.cookie.name).sorted() } }
    }

    private let store = Store()
    /// The clock of the jar alone: nothing else sleeps by it.
    private let time = ManualTime(date: start)
    private let stub = StubTransport { request in
        .status(.ok, headers: [.setCookie: "\(request.url.path.dropFirst())=1; Max-Age=99"])
    }

    private func client(_ jar: CookieJar, observers: [any EventObserver] = []) -> Client {
        Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: ManualTime(date: start)) {
            ($0.cookies, $0.principal, $0.observers) = (.jar(jar), "ann", observers)
        }
    }

    @Test func changesAreGatheredAndWrittenAfterASecond() async throws {
        let jar = CookieJar(store: store, time: time), client = client(jar)
        for path in ["/a", "/b", "/a"] { try await client.get(path) }
        #expect(store.names == [])
        try await time.hasSleepers()
        time.advance(by: .seconds(1))
        try await store.writes.wait { !$0.isEmpty }
        #expect(store.names == [["a", "b"]])
        // The next change begins the next second.
        try await client.get("/c")
        try await time.hasSleepers()
        time.advance(by: .seconds(1))
        try await store.writes.wait { $0.count == 2 }
        #expect(store.names[1].contains("c"))
    }

    @Test func aFlushWritesAtOnceAndOnce() async throws {
        let jar = CookieJar(store: store, time: time)
        try await client(jar).get("/a")
        try await jar.flush()
        try await jar.flush()
        #expect(store.names == [["a"]])
    }

    @Test func aShutdownWritesFirst() async throws {
        let client = client(CookieJar(store: store, time: time))
        try await client.get("/a")
        await client.shutdown()
        #expect(store.names == [["a"]])
    }

    @Test func aJarInMemoryWritesNothing() async throws {
        let jar = CookieJar(), client = client(jar)
        try await client.get("/a")
        try await jar.flush()
        await client.shutdown()
        #expect(!jar.isDurable && store.names == [])
    }

    @Test func aWriteThatFailsIsAWarningOfTheNextAnswerAndTriedAgain() async throws {
        let jar = CookieJar(store: store, time: time), recorder = EventRecorder(), client = client(jar, observers: [recorder])
        store.isBroken.update { $0 = true }
        try await client.get("/a")
        jar.writeNow()
        store.isBroken.update { $0 = false }
        try await client.get("/b")
        let warnings = recorder.events.filter { if case .warning = $0.kind { true } else { false } }
        #expect(warnings.count == 1)
        try await jar.flush()
        #expect(store.names == [["a", "b"]])
    }

    @Test func aWriteThatFailsIsTriedAgainOnceASecond() async throws {
        let jar = CookieJar(store: store, time: time), client = client(jar)
        store.isBroken.update { $0 = true }
        try await client.get("/a")
        for attempt in 1...3 {
            try await time.hasSleepers()
            #expect(store.attempts.value == attempt - 1)
            time.advance(by: .seconds(1))
            try await store.attempts.wait { $0 == attempt }
        }
        store.isBroken.update { $0 = false }
        try await time.hasSleepers()
        time.advance(by: .seconds(1))
        try await store.writes.wait { !$0.isEmpty }
        #expect(store.names == [["a"]] && store.attempts.value == 4)
        // The end of a client flushes its jar.
        await client.shutdown()
    }

    /// The error reaches the caller, and the changes are not left behind.
    @Test func aFlushThatFailsIsTriedAgainToo() async throws {
        let jar = CookieJar(store: store, time: time), client = client(jar)
        store.isBroken.update { $0 = true }
        try await client.get("/a")
        try await time.hasSleepers()
        time.advance(by: .seconds(1))
        try await store.attempts.wait { $0 == 1 }
        try await time.hasSleepers()
        await #expect(throws: CancellationError.self) { try await jar.flush() }
        store.isBroken.update { $0 = false }
        time.advance(by: .seconds(1))
        try await store.writes.wait { !$0.isEmpty }
        #expect(store.names == [["a"]])
        await client.shutdown()
    }

    /// A store whose first update fails.
    private final class FailingStore: CookieStore {
        struct Full: Error {}
        let isBroken = Watched(true)
        let writes = Watched<[CookieChanges]>([])
        func load() throws -> [String: [Cookie]] { [:] }
        func save(_ cookies: [String: [Cookie]]) throws {}
        func update(_ change: ([String: [Cookie]]) -> [String: [Cookie]]) throws { if isBroken.value { throw Full() } }
        func apply(_ changes: CookieChanges) throws { writes.update { $0.append(changes) } }
    }

    @Test func aRemovalThatFailsIsWrittenLater() async throws {
        let store = FailingStore(), jar = CookieJar(store: store, time: time)
        try await client(jar).get("/a")
        try await jar.flush()
        // Nothing is scheduled any more.
        await eventually {
            time.advance(by: CookieWriting.delay)
            return !jar.state.withLock { $0.writing.isScheduled }
        }
        // The delayed write may still be under way, and write the removal.
        let before = store.writes.value.count
        #expect(throws: FailingStore.Full.self) { try jar.removeCookies(at: start) }
        await eventually {
            time.advance(by: CookieWriting.delay)
            return store.writes.value.count != before
        }
        let last = try #require(store.writes.value.last?.principals.values.joined())
        #expect(last.contains { if case .removed(let cookie) = $0 { cookie.name == "a" } else { false } })
    }

    /// One call writes at a time, and one that asks meanwhile waits for it.
    @Test func theDecisionToWriteIsOneAtATime() {
        var writing = CookieWriting()
        let changes = [writing.change(), writing.change()], begins = [writing.begin(), writing.begin()]
        let goesOn = [writing.goesOn(), writing.goesOn()], isWriting = writing.isWriting
        #expect(changes == [true, false] && begins == [true, false] && goesOn == [true, false] && isWriting)
        writing.end().resume()
        let beginsAgain = writing.begin()
        #expect(beginsAgain)
    }

    @Test func theSystemsNoticesAreNamed() {
        #expect(BackgroundNotices.names.contains("UIApplicationDidEnterBackgroundNotification"))
        #expect(Set(BackgroundNotices.names).count == BackgroundNotices.names.count)
    }
}
