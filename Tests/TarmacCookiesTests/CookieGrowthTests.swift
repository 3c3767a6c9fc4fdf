import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacCookies
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Growth is counted, not timed: cookies looked at, cookies handed to a store, bytes written.
@Suite("Growth of a cookie jar", .timeLimit(.minutes(5)))
struct CookieGrowthTests {
    private static let sizes = [10, 1_000, 10_000]

    /// A table with cookies of as many domains.
    private func table(_ count: Int, limits: CookieLimits = CookieLimits(total: 20_000)) -> CookieTable {
        let table = CookieTable(limits: limits)
        for number in 0..<count { table.keep(plain("sid", "h\(number).shop.example", isSecure: true), isTrusted: true, at: start) }
        return table
    }

    /// Made without a Set-Cookie field, which takes longer to read.
    private func plain(_ name: String, _ host: String, path: String = "/", isSecure: Bool = false) -> Cookie {
        Cookie(
            name: name, value: "1", domain: host, path: path, expires: start + 99, isHostOnly: true, isSecure: isSecure, isHTTPOnly: false,
            sameSite: .unspecified, created: start, lastUsed: start)
    }

    private func cookie(_ field: String, of host: String, scheme: String = "https") throws -> Cookie {
        try CookieRule(url: HTTPURL("\(scheme)://\(host)/"), date: start).cookie(of: field)
    }

    private func steps<Result>(of table: CookieTable, _ body: () -> Result) -> (result: Result, steps: Int) {
        let before = table.steps, result = body()
        return (result, table.steps - before)
    }

    @Test(arguments: ["http", "https"])
    func aCookieIsKeptWithoutALookAtThoseOfOtherDomains(scheme: String) throws {
        for size in Self.sizes {
            let table = table(size), cookie = try cookie("theme=dark; Path=/; Max-Age=99", of: "h7.shop.example", scheme: scheme)
            let kept = steps(of: table) { table.keep(cookie, isTrusted: scheme == "https", at: start) }
            #expect(kept.result && kept.steps < 80)
            let protected = try self.cookie("sid=x; Path=/; Max-Age=99", of: "h7.shop.example", scheme: "http")
            let refused = steps(of: table) { table.keep(protected, isTrusted: false, at: start) }
            #expect(!refused.result && refused.steps < 80)
            // One for all subdomains is refused at the first of them that it would hide.
            let wide = try self.cookie("sid=x; Path=/; Domain=shop.example; Max-Age=99", of: "h7.shop.example", scheme: "http")
            let hidden = steps(of: table) { table.keep(wide, isTrusted: false, at: start) }
            #expect(!hidden.result && hidden.steps < 80)
        }
    }

    @Test func aCookieIsKeptWithoutALookAtSecureOnesOfOtherPaths() throws {
        for size in Self.sizes {
            let table = CookieTable(limits: CookieLimits(total: 20_000))
            for number in 0..<size {
                table.keep(plain("sid", "h\(number).shop.example", path: "/p\(number)", isSecure: true), isTrusted: true, at: start)
            }
            func keep(_ path: String) throws -> (result: Bool, steps: Int) {
                let wide = try cookie("sid=x; Path=\(path); Domain=shop.example; Max-Age=99", of: "h7.shop.example", scheme: "http")
                return steps(of: table) { table.keep(wide, isTrusted: false, at: start) }
            }
            let kept = try keep("/other"), refused = try keep("/p7/below")
            #expect(kept.result && kept.steps < 80)
            #expect(!refused.result && refused.steps < 80)
        }
    }

    @Test func aFullJarLosesACookieWithoutALookAtAll() throws {
        for size in Self.sizes {
            let table = table(size, limits: CookieLimits(total: size)), cookie = try cookie("new=1; Max-Age=99", of: "new.example")
            let kept = steps(of: table) { table.keep(cookie, isTrusted: true, at: start + 1) }
            #expect(kept.result && kept.steps < 160)
            #expect(table.count == size && table.all.contains { $0.name == "new" })
        }
    }

    @Test func aFullDomainLosesACookieWithoutALookAtAll() throws {
        for size in Self.sizes {
            let table = CookieTable(limits: CookieLimits(perDomain: size, total: 20_000))
            for number in 0..<size { table.keep(plain("n\(number)", "a.example", path: "/p\(number)"), isTrusted: true, at: start) }
            let cookie = try cookie("new=1; Path=/new; Max-Age=99", of: "a.example")
            let kept = steps(of: table) { table.keep(cookie, isTrusted: true, at: start + 1) }
            #expect(kept.result && kept.steps < 160)
            #expect(table.count == size)
            // And a request finds those of its path.
            let url = try HTTPURL("https://a.example/new/x")
            let found = steps(of: table) { table.cookies(for: url, at: start + 2).map(\.name) }
            #expect(found.result == ["new"] && found.steps < 160)
        }
    }

    @Test func expiredCookiesAreRemovedOnceEach() throws {
        for size in Self.sizes {
            let table = table(size), once = steps(of: table) { table.removeExpired(at: start + 98) }
            #expect(once.steps < 10 && table.count == size)
            table.removeExpired(at: start + 99)
            #expect(table.count == 0)
        }
    }

    /// The paths of a domain with many cookies are found as those of one with few.
    @Test func anIndexByPathFindsWhatAWalkFinds() throws {
        let few = CookieTable(limits: CookieLimits()), many = CookieTable(limits: CookieLimits(perDomain: 1_000))
        for number in 0..<100 { many.keep(try cookie("n\(number)=1; Path=/other/\(number)", of: "a.example"), isTrusted: true, at: start) }
        let paths = ["/", "/x", "/x/", "/x/y", "/x//y", "/x//", "/xy", "/x/y/"]
        for table in [few, many] {
            for path in paths { table.keep(try cookie("c=\(path); Path=\(path)", of: "a.example"), isTrusted: true, at: start) }
        }
        for path in paths + ["/x/y/z", "/z", "//", "/x//y/z", "/x///y"] {
            let url = try HTTPURL("https://a.example\(path)")
            #expect(few.cookies(for: url, at: start).map(\.value) == many.cookies(for: url, at: start).map(\.value))
        }
        // Those that go are found no more, and the index goes with them.
        many.remove { $0.path.hasPrefix("/other") || $0.path == "/x" }
        #expect(many.cookies(for: try HTTPURL("https://a.example/x"), at: start).map(\.value) == ["/"])
    }

    @Test func theLongestPathOfADomainIsFoundBelowIt() throws {
        let table = CookieTable(limits: CookieLimits())
        for number in 10..<60 { table.keep(plain("n\(number)", "a.example", path: "/p\(number)"), isTrusted: true, at: start) }
        for path in ["/p59", "/p59/", "/p59/x"] {
            #expect(table.cookies(for: try HTTPURL("https://a.example\(path)"), at: start).map(\.name) == ["n59"])
        }
    }

    @Test func aSecureCookieThatIsNoneAnyMoreProtectsNothingBelow() throws {
        let table = CookieTable(limits: CookieLimits()), wide = try cookie("a=2; Path=/; Domain=shop.example", of: "www.shop.example", scheme: "http")
        table.keep(try cookie("a=1; Path=/; Secure", of: "www.shop.example"), isTrusted: true, at: start)
        #expect(!table.keep(wide, isTrusted: false, at: start))
        table.keep(try cookie("a=1; Path=/", of: "www.shop.example"), isTrusted: true, at: start)
        #expect(table.keep(wide, isTrusted: false, at: start))
        table.keep(try cookie("a=1; Path=/; Secure", of: "www.shop.example"), isTrusted: true, at: start)
        table.remove { $0.isSecure }
        #expect(table.keep(wide, isTrusted: false, at: start))
    }

    @Test func aJarAddsOneStageToACall() throws {
        func stages(_ handling: CookieHandling?) throws -> Int {
            let client = Client(transport: .stub(StubTransport { _ in .status(.ok) }), services: [Service("s", host: "https://s.example")]) {
                $0.cookies = handling
            }
            // A client that nothing holds shuts its engine down.
            defer { withExtendedLifetime(client) {} }
            return try client.engine.runtime(.clientDefault).options.plan.stages.count
        }
        #expect(try stages(.jar()) == stages(nil) + 1)
    }

    // MARK: Stores

    /// Counts the cookies that a jar hands to its store.
    private final class CountingStore: CookieStore {
        let handed = Watched(0)
        let saved: [String: [Cookie]]

        init(_ saved: [String: [Cookie]]) { self.saved = saved }
        func load() throws -> [String: [Cookie]] { saved }
        func save(_ cookies: [String: [Cookie]]) throws { handed.update { $0 += cookies.values.reduce(0) { $0 + $1.count } } }
        func apply(_ changes: CookieChanges) throws { handed.update { $0 += changes.principals.values.reduce(0) { $0 + $1.count } } }
    }

    private func scope() async throws -> CookieScope {
        let client = Client(transport: .stub(StubTransport { _ in .status(.ok) }), services: [Service("s", host: "https://s.example")])
        return try await client.cookieScope(for: .get("/", as: Void.self)) { $0.principal = "ann" }
    }

    @Test func aStoreIsHandedTheRenewedCookieAlone() async throws {
        let scope = try await scope(), text = try #require(scope.durableText)
        for size in Self.sizes {
            let store = CountingStore([text: table(size).all]), jar = CookieJar(store: store, limits: CookieLimits(total: 20_000))
            let url = try HTTPURL("https://h7.shop.example/")
            for age in 100..<110 { try jar.keep(["sid=x; Path=/; Max-Age=\(age); Secure"], from: url, scope: scope, at: start) }
            try await jar.flush()
            #expect(store.handed.value == 1)
        }
    }

    private final class CookieFolder: Sendable {
        let path = "\(FileManager.default.temporaryDirectory.path)/tarmac-cookies-\(UInt64.random(in: .min ... .max))"
        var file: String { path + "/jar.json" }
        init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test func aRenewalWritesABoundedNumberOfBytes() async throws {
        let scope = try await scope(), text = try #require(scope.durableText)
        for size in Self.sizes {
            let folder = CookieFolder(), store = FileCookieStore(path: folder.file)
            try store.save([text: table(size).all])
            let jar = CookieJar(store: store, limits: CookieLimits(total: 20_000), time: ManualTime()), before = store.bytesWritten, renewals = 300
            for number in 0..<renewals {
                let url = try HTTPURL("https://h7.shop.example/")
                try jar.keep(["sid=\(number); Path=/; Max-Age=\(100 + number); Secure"], from: url, scope: scope, at: start)
                try store.apply(jar.taken())
            }
            // Each line, and its part of the replacements of the whole file.
            #expect(store.bytesWritten - before < renewals * 1_500)
            #expect(try FileCookieStore(path: folder.file).load()[text]?.first { $0.domain == "h7.shop.example" }?.value == "\(renewals - 1)")
        }
    }
}

extension CookieJar {
    /// The changes to write next, as if they were written.
    fileprivate func taken() throws -> CookieChanges {
        try state.withLock { state in
            guard case .write(let changes, _) = state.nextStep(isFirst: true) else { throw CancellationError() }
            state.settle(nil)
            return changes
        }
    }
}
