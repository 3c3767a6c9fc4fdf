import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// XF-4, law 7 and law 9: cookies through a client.
@Suite("Cookies of a client", .timeLimit(.minutes(5)))
struct CookieClientTests {
    private let time = ManualTime(date: start)
    private let stub = StubTransport { request in
        var headers: HTTPFields = [:]
        switch request.url.path {
        case "/login":
            headers.append(HTTPField(name: .setCookie, value: "sid=hunter2; Path=/; HttpOnly"))
            headers.append(HTTPField(name: .setCookie, value: "theme=dark; Path=/; Max-Age=100"))
        case "/hop":
            headers.append(HTTPField(name: .setCookie, value: "hop=1; Path=/"))
            headers[.location] = "/end"
            return .status(.found, headers: headers)
        case "/away":
            headers[.location] = "https://other.example/end"
            return .status(.found, headers: headers)
        default: break
        }
        return .status(.ok, headers: headers)
    }

    private func client(_ jar: CookieHandling, environment: ServiceEnvironment = .production, configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(
            transport: .stub(stub),
            services: [Service("s", hosts: [.production: "https://s.example", .test: "https://s.example"]), Service("t", host: "https://s.example")],
            environment: environment, time: time
        ) {
            $0.cookies = jar
            configure(&$0)
        }
    }

    private var sent: [String] { stub.requests.map { $0.headers[.cookie] ?? "" } }

    // XF-4
    @Test func whatIsSetIsSentUntilItExpires() async throws {
        let client = client(.jar())
        for path in ["/", "/login", "/"] { try await client.get(path) }
        time.advance(by: .seconds(100))
        try await client.get("/")
        #expect(sent == ["", "", "sid=hunter2; theme=dark", "sid=hunter2"])
    }

    // XF-4: cookies are off unless a layer has a jar.
    @Test func withoutAJarNothingIsKept() async throws {
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")])
        for path in ["/login", "/"] { try await client.get(path) }
        #expect(sent == ["", ""])
    }

    // XF-4, XF-B3
    @Test func aCallMaySwitchThemOff() async throws {
        let jar = CookieJar(), client = client(.jar(jar))
        try await client.get("/login") { $0.cookies = .off }
        #expect(jar.cookies.isEmpty)
        try await client.get("/login")
        #expect(!jar.cookies.isEmpty)
        try await client.get("/") { $0.cookies = .off }
        // The next call has them again.
        try await client.get("/")
        #expect(sent == ["", "", "", "sid=hunter2; theme=dark"])
    }

    @Test func aCallsOwnCookieFieldIsSentAsItIsForAPrincipalWithCookies() async throws {
        let client = client(.jar()) { $0.principal = "ann" }
        try await client.get("/login")
        try await client.get("/") { $0.headers["Cookie"] = "mine=1" }
        #expect(sent == ["", "mine=1"])
    }

    @Test func aCallsOwnCookieFieldIsSentAsItIs() async throws {
        let client = client(.jar()) { _ in }
        try await client.get("/login")
        try await client.get("/") { $0.headers["Cookie"] = "mine=1" }
        #expect(sent == ["", "mine=1"])
    }

    @Test func eachHopSetsAndSends() async throws {
        let client = client(.jar())
        try await client.get("/hop")
        #expect(sent == ["", "hop=1"])
        try await client.get("/away")
        #expect(sent.suffix(2) == ["hop=1", ""])
    }

    enum Stranger: CaseIterable { case client, environment, service, principal, credentials }

    @Test(arguments: Stranger.allCases)
    func strangersSeeNoneOfThem(stranger: Stranger) async throws {
        let jar = CookieJar(), first = client(.jar(jar))
        try await first.get("/login")
        switch stranger {
        case .client: try await client(.jar()).get("/")
        case .environment: try await client(.jar(jar), environment: .test).get("/")
        case .service: try await first[Service("t", host: "https://s.example")].get("/")
        case .principal: try await first.get("/") { $0.principal = "bob" }
        case .credentials: try await first.get("/") { $0.headers["Authorization"] = "Bearer b" }
        }
        try await first.get("/")
        #expect(sent == ["", "", "sid=hunter2; theme=dark"])
    }

    @Test func aPrincipalWithANameKeepsItsCookiesWhenItsCredentialsChange() async throws {
        let client = client(.jar()) { $0.principal = "ann" }
        try await client.get("/login") { $0.headers["Authorization"] = "Bearer a" }
        try await client.get("/") { $0.headers["Authorization"] = "Bearer b" }
        #expect(sent == ["", "sid=hunter2; theme=dark"])
    }

    @Test func principalsAreForgottenFromTheOneUnusedForLongest() async throws {
        let jar = CookieJar(limits: CookieLimits(principals: 3)), client = client(.jar(jar))
        for name in ["a", "b", "c", "a", "d"] { try await client.get("/login") { $0.principal = name } }
        #expect(jar.cookies.count == 6)
        try await client.get("/") { $0.principal = "b" }
        try await client.get("/") { $0.principal = "a" }
        #expect(sent.suffix(2) == ["", "sid=hunter2; theme=dark"])
    }

    // MARK: Stores

    private func temporaryPath() -> String {
        "\(FileManager.default.temporaryDirectory.path)/tarmac-cookies-\(UInt64.random(in: .min ... .max)).json"
    }

    @Test func cookiesWithADateOutliveTheJar() async throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let first = client(.jar(CookieJar(store: FileCookieStore(path: path))))
        try await first.get("/login") { $0.principal = "ann" }
        await first.shutdown()
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = client(.jar(CookieJar(store: FileCookieStore(path: path))))
        try await again.get("/") { $0.principal = "ann" }
        try await again.get("/") { $0.principal = "bob" }
        #expect(sent == ["", "theme=dark", ""])
    }

    /// A file must not tell credentials, nor what they could be found out from.
    @Test func principalsKnownByCredentialsAloneAreNotStored() async throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let jar = CookieJar(store: FileCookieStore(path: path))
        let client = client(.jar(jar)) { $0.headers["Authorization"] = "Bearer hunter2" }
        try await client.get("/login")
        try await client.get("/")
        try await jar.flush()
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(sent == ["", "sid=hunter2; theme=dark"])
        // Neither are they where the cookies of others are.
        try await self.client(.jar(jar)).get("/login") { $0.principal = "ann" }
        try await client.get("/login")
        try await jar.flush()
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("hunter2"))
        #expect(try FileCookieStore(path: path).load().count == 1)
    }

    @Test(arguments: ["not JSON: hunter2", #"{"version":2,"principals":{}}"#, #"{"version":1,"principals":{}}"#])
    func aBadFileIsAWarningAndNeitherReadNorOverwritten(content: String) async throws {
        let path = temporaryPath(), recorder = EventRecorder()
        defer { for path in [path, path + ".damaged"] { try? FileManager.default.removeItem(atPath: path) } }
        try content.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: content.contains(#""version":1"#) ? 0o644 : 0o600], ofItemAtPath: path)
        try await client(.jar(CookieJar(store: FileCookieStore(path: path)))) { $0.observers = [recorder] }.get("/login")
        let warnings = recorder.events.compactMap { if case .warning(let text) = $0.kind { text } else { nil } }
        // Only a file that others may read stays, and each of its uses warns.
        let stays = content.contains(#""version":1"#)
        #expect(warnings.count == (stays ? 2 : 1) && warnings.allSatisfy { $0.contains("cookie file") && !$0.contains("hunter2") })
        #expect(try String(contentsOfFile: stays ? path : path + ".damaged", encoding: .utf8) == content)
    }

    @Test func removingThemEmptiesTheStoreToo() async throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let jar = CookieJar(store: FileCookieStore(path: path)), client = client(.jar(jar))
        try await client.get("/login")
        try jar.removeCookies(at: start)
        try await client.get("/")
        #expect(sent == ["", ""] && jar.cookies.isEmpty)
        #expect(try FileCookieStore(path: path).load().isEmpty)
    }

    @Test func removingThemReachesPrincipalsNobodyHasAskedForYet() async throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let first = client(.jar(CookieJar(store: FileCookieStore(path: path))))
        try await first.get("/login") { $0.principal = "ann" }
        await first.shutdown()
        let jar = CookieJar(store: FileCookieStore(path: path))
        try jar.removeCookies(at: start)
        #expect(try FileCookieStore(path: path).load().isEmpty)
        try await client(.jar(jar)).get("/") { $0.principal = "ann" }
        #expect(sent == ["", ""])
    }

    @Test func aForgottenPrincipalFindsItsDatedCookiesAgain() async throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let jar = CookieJar(store: FileCookieStore(path: path), limits: CookieLimits(principals: 1)), client = client(.jar(jar))
        for name in ["ann", "bob"] { try await client.get("/login") { $0.principal = name } }
        try await jar.flush()
        #expect(try FileCookieStore(path: path).load().count == 2)
        try await client.get("/") { $0.principal = "ann" }
        #expect(sent == ["", "", "theme=dark"])
    }

    @Test func whatHasExpiredIsNotSaved() async throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let jar = CookieJar(store: FileCookieStore(path: path)), client = client(.jar(jar))
        try await client.get("/login") { $0.principal = "ann" }
        try await jar.flush()
        time.advance(by: .seconds(100))
        try await client.get("/login") { $0.principal = "bob" }
        try await jar.flush()
        #expect(try FileCookieStore(path: path).load().count == 1)
    }

    /// A server that sets more than is kept gets no more work done than for what is kept.
    @Test func aResponseSetsNoMoreThanADomainHolds() async throws {
        let many = StubTransport { _ in
            .status(.ok, headers: HTTPFields((0..<5).map { HTTPField(name: .setCookie, value: "c\($0)=1") }))
        }
        let jar = CookieJar(limits: CookieLimits(perDomain: 3))
        try await Client(transport: .stub(many), services: [Service("s", host: "https://s.example")]) { $0.cookies = .jar(jar) }.get("/")
        #expect(jar.cookies.map(\.name) == ["c0", "c1", "c2"])
    }

    /// Law 10.
    @Test(arguments: [-1, .min, 0]) func aJarThatHoldsNothingKeepsNothing(limit: Int) async throws {
        let one = StubTransport { _ in .status(.ok, headers: [.setCookie: "c=1"]) }
        for limits in [CookieLimits(perDomain: limit), CookieLimits(total: limit), CookieLimits(perDomain: limit, total: limit, principals: limit)] {
            let jar = CookieJar(limits: limits)
            try await Client(transport: .stub(one), services: [Service("s", host: "https://s.example")]) { $0.cookies = .jar(jar) }.get("/")
            #expect(jar.cookies.isEmpty)
        }
    }

    /// Law 9.
    @Test func noDescriptionShowsAValue() async throws {
        let jar = CookieJar(), recorder = EventRecorder()
        let client = client(.jar(jar)) { $0.observers = [recorder] }
        for path in ["/login", "/"] { try await client.get(path) }
        var dumped = ""
        dump(jar, to: &dumped)
        dump(CookieHandling.jar(jar), to: &dumped)
        for text in ["\(jar)", String(reflecting: jar), dumped, "\(recorder.events)", "\(client.explain(.get("/", as: Void.self)))"] {
            #expect(!text.contains("hunter2"))
        }
    }

    /// A byte that is not UTF-8 arrives as U+FFFD. Sent back, it would be another cookie.
    @Test func aCookieThatIsNotUTF8IsNotKept() async throws {
        let stub = StubTransport { _ in .status(.ok, headers: HTTPFields(["sid=caf\u{FFFD}", "b=1"].map { HTTPField(name: .setCookie, value: $0) })) }
        let recorder = EventRecorder(),
            client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
                ($0.cookies, $0.observers) = (.jar(CookieJar()), [recorder])
            }
        for _ in 0..<2 { try await client.get("/") }
        #expect(stub.requests.map { $0.headers[.cookie] } == [nil, "b=1"])
        #expect(recorder.names.contains("warning"))
    }
}
