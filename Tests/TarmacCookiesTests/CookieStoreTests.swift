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

/// Several writers of one store, and one that is told more while it saves.
@Suite("Cookie stores", .timeLimit(.minutes(5)))
struct CookieStoreTests {
    private let url: HTTPURL

    init() throws { url = try HTTPURL("https://s.example/") }

    /// Lets the test know whose cookies a call's are.
    private final class Spy: CookieKeeper {
        let scope = Watched<CookieScope?>(nil)
        func cookieField(for url: HTTPURL, scope: CookieScope, at date: Date) -> String? {
            self.scope.update { $0 = scope }
            return nil
        }
        func keep(_ fields: [String], from url: HTTPURL, scope: CookieScope, at date: Date) {}
    }

    private func scope(_ principal: String) async throws -> CookieScope {
        let spy = Spy()
        let client = Client(transport: .stub(StubTransport { _ in .status(.ok) }), services: [Service("s", host: "https://s.example")])
        try await client.get("/") { ($0.principal, $0.cookies) = (principal, .keeper(spy)) }
        return try #require(spy.scope.value)
    }

    /// A store in memory that can be told to do something while it saves.
    private final class SlowStore: CookieStore {
        let saved = Watched<[String: [Cookie]]>([:])
        let meanwhile = Watched<(@Sendable () throws -> Void)?>(nil)

        func load() throws -> [String: [Cookie]] { saved.value }
        func save(_ cookies: [String: [Cookie]]) throws {
            try meanwhile.update { meanwhile in
                defer { meanwhile = nil }
                return meanwhile
            }?()
            saved.update { $0 = cookies }
        }
        var names: [String] { saved.value.values.flatMap(\.self).map(\.name).sorted() }
    }

    @Test func whatChangesDuringASaveIsSavedAfterIt() async throws {
        let store = SlowStore(), jar = CookieJar(store: store, time: ManualTime()), ann = try await scope("ann")
        store.meanwhile.update { $0 = { [url] in try jar.keep(["b=1; Max-Age=9"], from: url, scope: ann, at: start) } }
        try jar.keep(["a=1; Max-Age=9"], from: url, scope: ann, at: start)
        try await jar.flush()
        #expect(store.names == ["a"])
        try await jar.flush()
        #expect(store.names == ["a", "b"])
        store.meanwhile.update { $0 = { try jar.removeCookies(at: start) } }
        try jar.keep(["c=1; Max-Age=9"], from: url, scope: ann, at: start)
        try await jar.flush()
        #expect(store.names.isEmpty)
    }

    /// The call that saves for others too fails at first: they are saved all the same.
    @Test func whatChangesDuringASaveThatFailsIsSavedAfterIt() async throws {
        struct Full: Error {}
        let store = SlowStore(), jar = CookieJar(store: store, time: ManualTime()), ann = try await scope("ann")
        store.meanwhile.update { meanwhile in
            meanwhile = { [url] in
                try jar.keep(["b=1; Max-Age=9"], from: url, scope: ann, at: start)
                throw Full()
            }
        }
        try jar.keep(["a=1; Max-Age=9"], from: url, scope: ann, at: start)
        await #expect(throws: Full.self) { try await jar.flush() }
        #expect(store.names == [])
        try await jar.flush()
        #expect(store.names == ["a", "b"])
        store.meanwhile.update { $0 = { throw Full() } }
        try jar.keep(["c=1; Max-Age=9"], from: url, scope: ann, at: start)
        await #expect(throws: Full.self) { try await jar.flush() }
        try jar.keep(["d=1; Max-Age=9"], from: url, scope: ann, at: start)
        try await jar.flush()
        #expect(store.names == ["a", "b", "c", "d"])
    }

    private func temporaryPath() -> String {
        "\(FileManager.default.temporaryDirectory.path)/tarmac-cookies-\(UInt64.random(in: .min ... .max)).json"
    }

    /// As of several processes: each has a jar of its own, for one principal and for different ones.
    @Test func manyWritersOfOneFileLoseNothing() async throws {
        let path = temporaryPath(), shared = try await scope("all")
        defer { for suffix in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<6 {
                let jar = CookieJar(store: FileCookieStore(path: path)), own = try await scope("\(writer)")
                group.addTask { [url] in
                    for number in 0..<10 {
                        try jar.keep(["w\(writer)-\(number)=1; Max-Age=99"], from: url, scope: shared, at: start)
                        try jar.keep(["n\(number)=1; Max-Age=99"], from: url, scope: own, at: start)
                        try await jar.flush()
                    }
                }
            }
            try await group.waitForAll()
        }
        let saved = try FileCookieStore(path: path).load()
        #expect(saved.values.map(\.count).sorted() == [10, 10, 10, 10, 10, 10, 60])
    }

    @Test func removingReachesWhatAnotherJarHasSaved() async throws {
        let store = SlowStore(), time = ManualTime(), ann = try await scope("ann")
        let jar = CookieJar(store: store, time: time), other = CookieJar(store: store, time: time)
        try jar.keep(["a=1; Max-Age=9"], from: url, scope: ann, at: start)
        try other.keep(["b=1; Max-Age=9", "c=1; Max-Age=9"], from: url, scope: ann, at: start)
        for jar in [jar, other] { try await jar.flush() }
        #expect(store.names == ["a", "b", "c"])
        try jar.removeCookies(at: start) { $0.name != "c" }
        #expect(store.names == ["c"])
    }

    // MARK: The decision

    private func cookie(_ name: String, _ value: String, age: Int = 9) throws -> Cookie {
        try CookieRule(url: url, date: start).cookie(of: "\(name)=\(value); Max-Age=\(age)")
    }

    @Test func whatAJarHasNotChangedIsWhatOthersMadeOfIt() throws {
        let old = try cookie("a", "1"), new = try cookie("a", "2", age: 99)
        func merged(_ changes: [CookieChanges.Change], theirs: [Cookie], at date: Date = start) -> [String] {
            CookieChanges(principals: ["p": changes], date: date).applied(to: ["p": theirs])["p", default: []].map(\.value)
        }
        #expect(merged([.used(old)], theirs: [new]) == ["2"])
        #expect(merged([.used(old)], theirs: []) == [])
        #expect(merged([.set(new)], theirs: [old]) == ["2"])
        #expect(merged([.set(new)], theirs: []) == ["2"])
        // Taken out is gone, expired is gone unless somebody has set it again.
        #expect(merged([.removed(old)], theirs: [new]) == [])
        #expect(merged([.expired(old)], theirs: [new], at: start + 10) == ["2"])
        #expect(merged([.expired(old)], theirs: [old], at: start + 10) == [])
        #expect(merged([], theirs: [old]) == ["1"])
    }

    @Test func theStoreLearnsWhenACookieWasLastUsed() throws {
        let old = try cookie("a", "1")
        var used = old
        used.lastUsed = start + 5
        #expect(CookieChanges(principals: ["p": [.used(used)]], date: start).applied(to: ["p": [old]])["p"] == [used])
    }

    /// What the table of a jar tells its store, for each thing that may happen to a cookie.
    @Test func aTableTellsItsStoreEachChangeOnce() throws {
        let table = CookieTable(limits: CookieLimits(), isSaved: true), a = try cookie("a", "1")
        func changes(at date: Date = start) -> [CookieChanges.Change] {
            defer { table.settle(isWritten: true) }
            return table.takeChanges(at: date)
        }
        table.restore([a])
        #expect(!table.hasChanges && changes() == [])
        // Used later: told with the next change.
        _ = table.cookies(for: url, at: start + 1)
        #expect(!table.hasChanges)
        for value in 0..<9 { table.keep(try cookie("b", "\(value)"), isTrusted: true, at: start) }
        let told = changes()
        #expect(told.count == 2 && told.contains { if case .set(let cookie) = $0 { cookie.value == "8" } else { false } })
        #expect(told.contains { if case .used(let cookie) = $0 { cookie.lastUsed == start + 1 } else { false } })
        // Removed by the server, replaced by one without a date, and expired.
        table.keep(try cookie("a", "", age: 0), isTrusted: true, at: start)
        table.keep(try CookieRule(url: url, date: start).cookie(of: "b=session"), isTrusted: true, at: start)
        #expect(Set(changes().map { if case .removed(let cookie) = $0 { cookie.name } else { "" } }) == ["a", "b"])
        table.keep(try cookie("c", "1"), isTrusted: true, at: start)
        #expect(changes().count == 1)
        #expect(changes(at: start + 9).map { if case .expired(let cookie) = $0 { cookie.name } else { "" } } == ["c"])
        // Not told of one that came and went.
        table.keep(try cookie("d", "1"), isTrusted: true, at: start)
        table.keep(try cookie("d", "", age: 0), isTrusted: true, at: start)
        #expect(changes().isEmpty)
    }

    @Test func changesThatWereNotWrittenAreTakenAgainUnlessTheyAreOutdated() throws {
        let table = CookieTable(limits: CookieLimits(), isSaved: true)
        table.restore([try cookie("old", "1")])
        table.keep(try cookie("a", "1"), isTrusted: true, at: start)
        table.keep(try cookie("b", "1"), isTrusted: true, at: start)
        table.keep(try cookie("old", "", age: 0), isTrusted: true, at: start)
        #expect(table.takeChanges(at: start).count == 3)
        // While they are written: one is changed, one goes.
        table.keep(try cookie("a", "2"), isTrusted: true, at: start)
        table.keep(try cookie("b", "", age: 0), isTrusted: true, at: start)
        table.settle(isWritten: false)
        let again = table.takeChanges(at: start)
        table.settle(isWritten: true)
        #expect(Set(again.map { "\($0.cookie.name) \($0.cookie.value)" }) == ["old 1", "a 2"])
        #expect(table.takeChanges(at: start).isEmpty)
    }
}
