import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
@_spi(TarmacRooms) import TarmacHTTP
import TarmacTesting
import Testing

@testable import TarmacCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Jars over one file, as those of two processes are. Neither goes on as a user that the other has logged out.
@Suite("Jars that share a file", .timeLimit(.minutes(5)))
struct SharedJarTests {
    private let url: HTTPURL
    private let folder = FileManager.default.temporaryDirectory.path + "/tarmac-jars-\(UInt64.random(in: .min ... .max))"
    private let start = Date(timeIntervalSince1970: 1_900_000_000)

    init() throws {
        url = try HTTPURL("https://s.example/")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Writes when the test says so.
    private func jar() -> CookieJar { CookieJar(store: FileCookieStore(path: "\(folder)/cookies.json"), time: ManualTime()) }

    private func scope() async throws -> CookieScope {
        let client = Client(transport: .stub(StubTransport { _ in .status(.ok) }), services: [Service("s", host: "https://s.example")])
        return try await client.cookieScope(for: .get("/", as: Void.self))
    }

    private func sent(_ jar: CookieJar, _ scope: CookieScope) throws -> String? { try jar.cookieField(for: url, scope: scope, at: start) }

    @Test func aLogOutAndALogInOfOneJarReachTheOther() async throws {
        let scope = try await scope(), one = jar(), other = jar()
        try one.keep(["sid=ann; Max-Age=99"], from: url, scope: scope, at: start)
        try await one.flush()
        #expect(try sent(other, scope) == "sid=ann")
        try one.removeCookies()
        #expect(other.needsLoading)
        #expect(try sent(other, scope) == nil)
        #expect(!other.needsLoading)
        try one.keep(["sid=bob; Max-Age=99"], from: url, scope: scope, at: start)
        try await one.flush()
        #expect(try sent(other, scope) == "sid=bob")
    }

    /// The response to a request that the other jar had sent as the first user.
    @Test(arguments: [true, false], [true, false])
    func aRenewalOfTheOldLoginIsNotWrittenOverTheNewOne(isBobIn: Bool, isLate: Bool) async throws {
        let scope = try await scope(), one = jar(), other = jar()
        try one.keep(["sid=ann; Max-Age=99"], from: url, scope: scope, at: start)
        try await one.flush()
        #expect(try sent(other, scope) == "sid=ann")
        func renew() throws { try other.keep(["sid=ann-2; Max-Age=99", "seen=1; Max-Age=99"], from: url, scope: scope, at: start) }
        if !isLate { try renew() }
        try one.removeCookies()
        if isBobIn { try one.keep(["sid=bob; Max-Age=99"], from: url, scope: scope, at: start) }
        try await one.flush()
        if isLate { try renew() }
        try await other.flush()
        let expected = isBobIn ? "sid=bob; seen=1" : "seen=1"
        for jar in [jar(), other, one] { #expect(try sent(jar, scope).map(names) == names(expected)) }
    }

    private func names(_ field: String) -> Set<String> { Set(field.components(separatedBy: "; ")) }

    @Test func whatIsNotWrittenYetStaysWhenTheOtherWrites() async throws {
        let scope = try await scope(), one = jar(), other = jar()
        try one.keep(["a=1; Max-Age=99", "session=1"], from: url, scope: scope, at: start)
        #expect(try sent(other, scope) == nil)
        try other.keep(["b=1; Max-Age=99"], from: url, scope: scope, at: start)
        try await other.flush()
        #expect(try sent(one, scope).map(names) == ["a=1", "b=1", "session=1"])
        try await one.flush()
        #expect(try sent(other, scope).map(names) == ["a=1", "b=1"])
        #expect(try sent(one, scope).map(names) == ["a=1", "b=1", "session=1"])
    }

    /// Another process that is told of the end of the old login in the same second ends no new one.
    @Test func aLoginReachesTheFileAtOnce() async throws {
        let scope = try await scope(), time = ManualTime(), one = CookieJar(store: FileCookieStore(path: "\(folder)/cookies.json"), time: time), other = jar()
        try one.keep(["sid=old; Max-Age=99"], from: url, scope: scope, at: start)
        try await one.flush()
        #expect(try sent(other, scope) == "sid=old")
        await eventually { time.sleepers == 1 }
        time.advance(by: .seconds(2))
        await eventually { one.state.withLock { !$0.writing.isScheduled } }
        try one.keep(["sid=new; Max-Age=99"], from: url, scope: scope, at: start)
        await eventually { time.nextDeadline == .milliseconds(10) }
        time.advance(by: .milliseconds(10))
        await eventually { other.needsLoading }
        try other.keep(["sid=; Max-Age=0"], from: url, scope: scope, at: start)
        try await other.flush()
        for jar in [jar(), one, other] { #expect(try sent(jar, scope) == "sid=new") }
        // Changes of every call are gathered.
        await eventually { one.state.withLock { !$0.writing.isScheduled } }
        try one.keep(["sid=newer; Max-Age=99"], from: url, scope: scope, at: start)
        await eventually { time.nextDeadline == .seconds(1) }
    }

    /// Its own writes are known: a jar alone reads its store once.
    @Test func aJarDoesNotReadWhatItHasWritten() async throws {
        let scope = try await scope(), one = jar()
        for number in 0..<5 {
            try one.keep(["a=\(number); Max-Age=99"], from: url, scope: scope, at: start)
            #expect(!one.needsLoading)
            try await one.flush()
            #expect(!one.needsLoading)
        }
    }

    /// The answer to a request that was sent before the login.
    @Test func theEndOfAnOldCookieRemovesNoNewerOne() async throws {
        let scope = try await scope(), one = jar(), other = jar()
        try one.keep(["sid=old; Max-Age=99"], from: url, scope: scope, at: start)
        try await one.flush()
        #expect(try sent(other, scope) == "sid=old")
        try other.keep(["sid=new; Max-Age=99"], from: url, scope: scope, at: start)
        try await other.flush()
        try one.keep(["sid=; Max-Age=0"], from: url, scope: scope, at: start)
        try await one.flush()
        for jar in [jar(), one, other] { #expect(try sent(jar, scope) == "sid=new") }
        // And it removes its own, also one whose change is not written yet.
        try one.keep(["sid=newer; Max-Age=99"], from: url, scope: scope, at: start)
        try one.keep(["sid=; Max-Age=0"], from: url, scope: scope, at: start)
        try await one.flush()
        for jar in [jar(), one, other] { #expect(try sent(jar, scope) == nil) }
    }

    @Test func whatHasExpiredWasRemovedByNobody() async throws {
        let scope = try await scope(), one = jar(), other = jar(), later = start + 3_600
        try one.keep(["sid=old; Max-Age=1800"], from: url, scope: scope, at: start)
        try await one.flush()
        #expect(try sent(other, scope) == "sid=old")
        try other.keep(["seen=1; Max-Age=99"], from: url, scope: scope, at: later)
        try await other.flush()
        try one.keep(["sid=new; Max-Age=99"], from: url, scope: scope, at: later)
        try await one.flush()
        for jar in [jar(), one, other] { #expect(try jar.cookieField(for: url, scope: scope, at: later).map(names) == ["sid=new", "seen=1"]) }
    }

    /// A pure decision: what could not be read is read again, and what is gone is not.
    @Test(arguments: [true, false]) func aReadingThatFailsIsRepeated(isLost: Bool) throws {
        struct Failure: Error {}
        var state = CookieJarState(limits: CookieLimits(), storage: .whole)
        let first = state.beginReading("1"), isTaken = state.load([:], try #require(first), at: start)
        let second = state.beginReading("2")
        state.noteUnread(try #require(second), Failure(), isLost: isLost, at: start)
        #expect(isTaken && state.needsReading("2") == !isLost)
        // A write in the meantime does not hide it.
        state.settle(nil)
        #expect(state.failure != nil)
    }

    /// A pure decision: a change over what the jar had read is made, and over anything else is not.
    @Test func onlyAChangeOverWhatWasReadIsMade() throws {
        func cookie(_ field: String) throws -> Cookie { try CookieRule(url: url, date: start).cookie(of: field) }
        let old = try cookie("sid=old; Max-Age=9"), new = try cookie("sid=new; Max-Age=9"), foreign = try cookie("sid=foreign; Max-Age=9")
        var used = old
        let expired = try CookieRule(url: url, date: start - 100).cookie(of: "sid=old; Max-Age=9")
        used.lastUsed = start + 1
        let table: [(base: Cookie?, saved: Cookie?, isMade: Bool)] = [
            (old, old, true), (old, used, true), (nil, nil, true), (old, foreign, false), (old, nil, false), (nil, foreign, false),
            (expired, nil, true), (expired, foreign, false),
        ]
        for (base, saved, isMade) in table {
            var changes = CookieChanges(principals: ["p": [.set(new)]], date: start)
            if let base { changes.bases = ["p": [CookieKey(base): base]] }
            #expect((changes.withoutConflicts(with: ["p": saved.map { [$0] } ?? []]).principals["p"] == [.set(new)]) == isMade)
        }
        for (base, saved, isMade) in [(old, old, true), (old, used, true), (old, foreign, false), (nil, new, true), (nil, foreign, false)]
            as [(Cookie?, Cookie, Bool)]
        {
            var changes = CookieChanges(principals: ["p": [.removed(new)]], date: start)
            if let base { changes.bases = ["p": [CookieKey(base): base]] }
            #expect((changes.withoutConflicts(with: ["p": [saved]]).principals["p"] == [.removed(new)]) == isMade)
        }
    }
}
