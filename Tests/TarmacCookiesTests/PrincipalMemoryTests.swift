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

/// Growth is counted: principals that stay in the memory of a jar with a store, and those looked at for a write.
@Suite("Principals of a jar with a store", .timeLimit(.minutes(5)))
struct PrincipalMemoryTests {
    /// A store in memory, read by principal or as a whole.
    private final class Store: CookieStore {
        let saved = Watched<[String: [Cookie]]>([:])
        let readings = Watched<[String]>([])
        let isBroken = Watched(false)
        /// Runs once, after the next reading of a principal.
        let afterReading = Watched<(@Sendable () -> Void)?>(nil)
        let readsByPrincipal: Bool

        init(byPrincipal: Bool) { readsByPrincipal = byPrincipal }

        func load() throws -> [String: [Cookie]] { saved.value }
        func cookies(of principal: String) throws -> [Cookie] {
            readings.update { $0.append(principal) }
            let cookies = saved.value[principal] ?? []
            afterReading.update { act in
                defer { act = nil }
                return act
            }?()
            return cookies
        }
        func save(_ cookies: [String: [Cookie]]) throws { saved.update { $0 = cookies } }
        func apply(_ changes: CookieChanges) throws {
            if isBroken.value { throw CancellationError() }
            saved.update { $0 = changes.applied(to: $0) }
        }
    }

    private let url: HTTPURL
    private let client = Client(transport: .stub(StubTransport { _ in .status(.ok) }), services: [Service("s", host: "https://s.example")])

    init() throws { url = try HTTPURL("https://s.example/") }

    private func scope(_ number: Int) async throws -> CookieScope {
        try await client.cookieScope(for: .get("/", as: Void.self)) { $0.principal = "user-\(number)" }
    }

    /// Nothing is written but by a flush: the clock does not move.
    private func jar(_ store: Store, principals: Int = 10) -> CookieJar {
        CookieJar(store: store, limits: CookieLimits(principals: principals), time: ManualTime(date: start))
    }

    private func logIn(_ count: Int, _ jar: CookieJar, age: Int = 99) async throws {
        for number in 0..<count { try jar.keep(["sid=\(number); Max-Age=\(age)"], from: url, scope: await scope(number), at: start) }
    }

    private func kept(_ jar: CookieJar) -> Int { jar.state.withLock { $0.principals } }

    @Test func writtenPrincipalsAboveTheLimitAreForgottenAndReadAgain() async throws {
        let store = Store(byPrincipal: true), jar = jar(store)
        try await logIn(200, jar)
        // Those whose cookies only the jar has stay.
        #expect(kept(jar) == 200)
        try await jar.flush()
        #expect(kept(jar) == 10 && store.saved.value.count == 200)
        #expect(store.readings.value == [])
        #expect(try jar.cookieField(for: url, scope: await scope(3), at: start) == "sid=3")
        #expect(store.readings.value == [try #require(try await scope(3).durableText)])
        // In memory it is read no more.
        #expect(try jar.cookieField(for: url, scope: await scope(3), at: start) == "sid=3")
        #expect(store.readings.value.count == 1)
        try await jar.flush()
        #expect(kept(jar) == 10)
    }

    /// Later uses alone are no reason to write, but a principal that is to be forgotten is.
    @Test func principalsThatWereOnlyUsedAreForgotten() async throws {
        let store = Store(byPrincipal: true), time = ManualTime(date: start)
        let jar = CookieJar(store: store, limits: CookieLimits(principals: 10), time: time)
        try await logIn(50, jar)
        try await jar.flush()
        // The write that was due ends.
        await eventually {
            time.advance(by: CookieWriting.delay)
            return !jar.state.withLock { $0.writing.isScheduled }
        }
        for number in 0..<50 { _ = try jar.cookieField(for: url, scope: await scope(number), at: start + 1) }
        #expect(jar.state.withLock { $0.writing.isScheduled })
        await eventually {
            time.advance(by: CookieWriting.delay)
            return kept(jar) <= 10
        }
        let three = try #require(try await scope(3).durableText)
        #expect(store.saved.value[three]?.map(\.lastUsed) == [start + 1])
    }

    @Test func aPrincipalThatReturnsChangesWhatItHad() async throws {
        let store = Store(byPrincipal: true), jar = jar(store)
        try await logIn(50, jar)
        try await jar.flush()
        try jar.keep(["theme=dark; Max-Age=99"], from: url, scope: await scope(3), at: start)
        try jar.keep(["sid=; Max-Age=0"], from: url, scope: await scope(4), at: start)
        try await jar.flush()
        let (three, four) = (try #require(try await scope(3).durableText), try #require(try await scope(4).durableText))
        #expect(store.saved.value[three]?.map(\.name) == ["sid", "theme"])
        #expect(store.saved.value[four] == nil && store.saved.value.count == 49)
    }

    /// A store that is read as a whole would be read for each call of a new principal.
    @Test func aStoreThatIsReadAsAWholeIsReadOnce() async throws {
        let store = Store(byPrincipal: false), jar = jar(store)
        try await logIn(50, jar)
        try await jar.flush()
        #expect(try jar.cookieField(for: url, scope: await scope(3), at: start) == "sid=3")
        #expect(store.readings.value == [] && kept(jar) == 50)
    }

    @Test(arguments: [true, false])
    func principalsWithoutCookiesAreForgotten(byPrincipal: Bool) async throws {
        let store = Store(byPrincipal: byPrincipal), jar = jar(store)
        for number in 0..<200 { _ = try jar.cookieField(for: url, scope: await scope(number), at: start) }
        #expect(kept(jar) == 10)
        // And those whose cookies have expired when they are written.
        try await logIn(200, jar, age: 5)
        try jar.keep(["sid=last; Max-Age=99"], from: url, scope: await scope(0), at: start + 10)
        try await jar.flush()
        #expect(kept(jar) == 10 && store.saved.value.count == 1)
        #expect(store.readings.value == [])
    }

    @Test func principalsWhoseCookiesCouldNotBeWrittenStay() async throws {
        let store = Store(byPrincipal: true), jar = jar(store)
        store.isBroken.update { $0 = true }
        try await logIn(50, jar)
        await #expect(throws: CancellationError.self) { try await jar.flush() }
        #expect(kept(jar) == 50)
        #expect(try jar.cookieField(for: url, scope: await scope(3), at: start) == "sid=3")
        #expect(store.readings.value == [])
        store.isBroken.update { $0 = false }
        try await jar.flush()
        #expect(kept(jar) == 10 && store.saved.value.count == 50)
    }

    @Test(arguments: [10, 100, 1_000])
    func aWriteLooksAtTheChangedPrincipalAlone(count: Int) async throws {
        let store = Store(byPrincipal: false), jar = jar(store, principals: 2_000)
        try await logIn(count, jar)
        try await jar.flush()
        let before = jar.state.withLock { $0.visits }
        try jar.keep(["theme=dark; Max-Age=99"], from: url, scope: await scope(7), at: start)
        try await jar.flush()
        #expect(jar.state.withLock { $0.visits } - before == 1)
    }

    /// A removal that comes between the reading of a principal and its use.
    @Test func noReadingBringsRemovedCookiesBack() async throws {
        let store = Store(byPrincipal: true), jar = jar(store)
        try await logIn(50, jar)
        try await jar.flush()
        store.afterReading.update { $0 = { try? jar.removeCookies(at: start) } }
        #expect(try jar.cookieField(for: url, scope: await scope(3), at: start) == nil)
        #expect(store.readings.value.count == 2 && store.saved.value.isEmpty)
    }

    /// Another call of the same principal comes first, and its changes stay.
    @Test func noReadingReplacesWhatAnotherCallHasChanged() async throws {
        let store = Store(byPrincipal: true), jar = jar(store), three = try await scope(3), url = url
        try await logIn(50, jar)
        try await jar.flush()
        store.afterReading.update { $0 = { try? jar.keep(["sid=new; Max-Age=99"], from: url, scope: three, at: start) } }
        #expect(try jar.cookieField(for: url, scope: three, at: start) == "sid=new")
    }
}
