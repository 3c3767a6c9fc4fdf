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

/// Law 7: whoever hands cookies on, to a web view or from one, names whose they are.
@Suite("Cookies of one principal", .timeLimit(.minutes(5)))
struct CookieScopeTests {
    private let service = Service("s", hosts: [.production: "https://s.example", .test: "https://s.example"])
    private let jar = CookieJar()
    private let stub = StubTransport { request in
        request.url.path == "/login" ? .status(.ok, headers: [.setCookie: "sid=\(request.headers[.authorization] ?? "0")"]) : .status(.ok)
    }

    private func client(environment: ServiceEnvironment = .production, configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(transport: .stub(stub), services: [service], environment: environment, time: ManualTime(date: start)) {
            $0.cookies = .jar(jar)
            configure(&$0)
        }
    }

    private var account: InlineEndpoint<Void> { .get("/login") }

    private func names(_ scope: CookieScope) throws -> [String] { try jar.cookies(of: scope, at: start).map(\.pair) }

    @Test func aScopeIsThatOfTheCall() async throws {
        let client = client()
        for name in ["ann", "bob"] {
            try await client.send(account) { ($0.principal, $0.headers["Authorization"]) = (name, "Bearer \(name)") }
        }
        try await client.send(account)
        let ann = try await client.cookieScope(for: account) { $0.principal = "ann" }
        #expect(try names(ann) == ["sid=Bearer ann"])
        #expect(try names(await client.cookieScope(for: account)) == ["sid=0"])
        #expect(try names(await client.cookieScope(for: account) { $0.headers["Authorization"] = "Bearer ann" }).isEmpty)
        #expect(try names(await self.client(environment: .test).cookieScope(for: account)).isEmpty)
        #expect(stub.requests.count == 3)
    }

    /// Whose call it is stands in the token store alone.
    @Test func anAccountIsReadFromItsStore() async throws {
        let key = TokenKey(service: "s", environment: "production")
        let settings: (inout Options) -> Void = {
            let store = MemoryTokenStore([key: AccessToken("t", account: "ann")])
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store)
        }
        try await client(configure: settings).send(account)
        let scope = try await client(configure: settings).cookieScope(for: account)
        #expect(try names(scope) == ["sid=Bearer t"])
        #expect(scope.durableText?.contains("ann") == true)
    }

    @Test func whatCannotBeBuiltHasNoScope() async throws {
        let client = Client(transport: .stub(stub), services: [])
        let error = await #expect(throws: TarmacError.self) { try await client.cookieScope(for: account) }
        #expect(error?.code == .missingHost)
    }

    @Test func whatHasExpiredIsNotHandedOn() async throws {
        let scope = try await client().cookieScope(for: account), url = try HTTPURL("https://s.example/")
        try jar.keep(["a=1; Max-Age=10", "b=1"], from: url, scope: scope, at: start)
        #expect(try jar.cookies(of: scope, at: start + 10).map(\.name) == ["b"])
    }

    @Test func whatWasStoredIsHandedOnBeforeAnyCall() async throws {
        let path = "\(FileManager.default.temporaryDirectory.path)/tarmac-cookies-\(UInt64.random(in: .min ... .max)).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let ann = try await client().cookieScope(for: account) { $0.principal = "ann" }
        let jar = CookieJar(store: FileCookieStore(path: path))
        try jar.keep(["a=1; Max-Age=10"], from: try HTTPURL("https://s.example/"), scope: ann, at: start)
        try await jar.flush()
        #expect(try CookieJar(store: FileCookieStore(path: path)).cookies(of: ann, at: start).map(\.name) == ["a"])
    }

    // MARK: From elsewhere

    @Test func whatIsTakenOverIsSentForItsPrincipalAlone() async throws {
        let client = client(), ann = try await client.cookieScope(for: account) { $0.principal = "ann" }
        try jar.keep([CookieProperties(name: "sid", value: "web", domain: "s.example")], scope: ann, at: start)
        for name in ["ann", "bob"] { try await client.get("/") { $0.principal = name } }
        #expect(stub.requests.map { $0.headers[.cookie] } == ["sid=web", nil])
        // One that has ended removes its like.
        try jar.keep([CookieProperties(name: "sid", value: "", domain: "s.example", expires: .distantPast)], scope: ann, at: start)
        #expect(try names(ann).isEmpty)
    }

    @Test func anInsecureOneHidesNoneThatIsSecure() async throws {
        let scope = try await client().cookieScope(for: account)
        try jar.keep(["sid=jar; Secure; Path=/"], from: try HTTPURL("https://s.example/"), scope: scope, at: start)
        try jar.keep([CookieProperties(name: "sid", value: "web", domain: "s.example")], scope: scope, at: start)
        #expect(try names(scope) == ["sid=jar"])
        try jar.keep([CookieProperties(name: "sid", value: "web", domain: "s.example", isSecure: true)], scope: scope, at: start)
        #expect(try names(scope) == ["sid=web"])
    }

    @Test(arguments: [
        (CookieProperties(name: "a", value: "1", domain: "S.example"), "a=1; Path=/"),
        (CookieProperties(name: "a", value: "1", domain: ".s.example", path: "/x"), "a=1; Path=/x; Domain=s.example"),
        (CookieProperties(name: "", value: "v", domain: "s.example"), "v; Path=/"),
        (
            CookieProperties(name: "a", value: "1", domain: "s.example", expires: start + 9.5, isSecure: true, isHTTPOnly: true, sameSite: "Lax"),
            "a=1; Path=/; Expires=\(CookieDate.text(start + 9)); Secure; HttpOnly; SameSite=Lax"
        ),
        (CookieProperties(name: "a", value: "1", domain: "s.example", sameSite: "strict"), "a=1; Path=/; SameSite=Strict"),
        (CookieProperties(name: "a", value: "1", domain: "s.example", sameSite: "other"), "a=1; Path=/"),
        // No cookie lives longer than 400 days, nor becomes one of the session because its date is odd.
        (
            CookieProperties(name: "a", value: "1", domain: "s.example", expires: .distantFuture),
            "a=1; Path=/; Expires=\(CookieDate.text(start + 400 * 86_400))"
        ),
        (CookieProperties(name: "a", value: "1", domain: "s.example", expires: .distantPast), "a=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"),
        (CookieProperties(name: "__Host-a", value: "1", domain: "s.example", isSecure: true), "__Host-a=1; Path=/; Secure"),
    ])
    func aCookieOfAnothersIsAsItWouldHaveBeenSet(properties: CookieProperties, field: String) throws {
        let cookie = try #require(properties.cookie(at: start))
        #expect(cookie.setCookieField == field && cookie.domain == "s.example")
        #expect(cookie.created == start && cookie.lastUsed == start)
    }

    /// Law 9.
    @Test func noDescriptionShowsAValue() {
        var shown = ""
        dump(CookieProperties(name: "sid", value: "hunter2", domain: "s.example"), to: &shown)
        #expect(shown.contains("sid") && !shown.contains("hunter2"))
    }

    @Test(arguments: [
        CookieProperties(name: "a", value: "1; Domain=s.example", domain: "www.s.example"), CookieProperties(name: "a;b", value: "1", domain: "s.example"),
        CookieProperties(name: "a=b", value: "1", domain: "s.example"), CookieProperties(name: "a", value: "1\n", domain: "s.example"),
        CookieProperties(name: "a", value: "1", domain: "s.example", path: "x"),
        CookieProperties(name: "a", value: "1", domain: "s.example", path: "/; HttpOnly"), CookieProperties(name: "a", value: "1", domain: ""),
        CookieProperties(name: "a", value: "1", domain: "s.example/x"), CookieProperties(name: "a", value: "1", domain: ".s.example; Secure"),
        CookieProperties(name: "a", value: "1", domain: ".co.uk"), CookieProperties(name: "a", value: "1", domain: "s.example:80"),
        CookieProperties(name: "__Host-a", value: "1", domain: ".s.example", isSecure: true),
        CookieProperties(name: "__Secure-a", value: "1", domain: "s.example"), CookieProperties(name: "a", value: "1", domain: "s.example", sameSite: "none"),
        CookieProperties(name: "", value: "", domain: "s.example"), CookieProperties(name: "a", value: "1", domain: "u@s.example"),
    ])
    func whatNoServerCouldHaveSetIsNone(properties: CookieProperties) {
        #expect(properties.cookie(at: start) == nil)
    }
}
