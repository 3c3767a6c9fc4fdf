import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP

@Suite("Credentials and principals", .timeLimit(.minutes(5)))
struct CredentialTests {
    private static let secret = "hunter2"

    /// A user's name may contain what separates it from the password.
    @Test func usersOfDigestWhoseNamesAndPasswordsJoinAlikeAreApart() {
        let names = [("ann", "x:y"), ("ann:x", "y")].map { Authentication.digest(user: $0, password: $1) { _, _ in nil }.sessionName }
        #expect(Set(names).count == 2)
    }

    @Test(arguments: [
        (Authentication.bearer("mF_9.B5f-4.1JqM"), "authorization: Bearer mF_9.B5f-4.1JqM"),
        (.basic(user: "Aladdin", password: "open sesame"), "authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
        // RFC 7617 §2.1
        (.basic(user: "test", password: "123£"), "authorization: Basic dGVzdDoxMjPCow=="),
        (.apiKey("k", header: "X-Key"), "x-key: k"),
    ])
    func aFieldGoesToTheServiceAlone(authenticator: Authentication, field: String) async throws {
        let stub = StubTransport { $0.url.host == "s.example" ? .redirect(to: "https://other.example/") : .status(.ok) }
        let client = Client(stub) { $0.authenticator = authenticator }
        try await client.get("/")
        let sent = stub.requests.map { request in request.headers.map { "\($0.name.canonicalName): \($0.value)" } }
        #expect(sent.map { $0.contains(field) } == [true, false])
        #expect(sent[1].allSatisfy { !$0.hasPrefix("authorization") && !$0.hasPrefix("x-key") })
        let shown = try client.request(for: InlineEndpoint<Void>.get("/"))
        #expect(shown.headers.contains { "\($0.name.canonicalName): \($0.value)" == field })
    }

    @Test func aKeyInTheQueryIsAddedAndMasked() async throws {
        let (recorder, lines) = (EventRecorder(), Watched<[String]>([]))
        let stub = StubTransport { _ in .status(.notFound) }
        let client = Client(stub) {
            $0.authenticator = .apiKey("hunter2 &", query: "k")
            $0.observers = [recorder, ConsoleLogger(.everything) { line in lines.update { $0.append(line) } }]
        }
        let error = await failure { try await client.get("/a", ["q": 1]) }
        #expect(stub.requests.first?.url.query == "q=1&k=hunter2%20%26")
        let request = try client.request(for: InlineEndpoint<Void>.get("/a"))
        for text in Shown.texts(error as Any) + lines.value + recorder.events.map({ "\($0)" }) + [CurlPrinter().command(for: request)] {
            #expect(!text.contains(Self.secret))
        }
        #expect(CurlPrinter().command(for: request).contains("k="))
    }

    @Test(arguments: [
        Authentication.bearer("a b"), .bearer(""), .bearer("a\r\nX: y"), .basic(user: "a:b", password: "hunter2"),
        .basic(user: "a", password: "hunter2\n"), .apiKey("hunter2\r\n", header: "X-Key"), .apiKey("k", header: "X Key"),
        .apiKey("k", query: ""), .apiKey("", header: "X-Key"), .apiKey("", query: "k"), .digest(user: "u", password: "hunter2") { _, _ in nil },
        .init(OAuthAuthenticator(tokenURL: "/", client: OAuthClient(id: "a"), refreshRule: RefreshRule { $0.maximumAttempts = 0 })),
        .oauth(tokenURL: "/", client: OAuthClient(id: "")), .clientCredentials(tokenURL: "/", client: OAuthClient(id: "", secret: "hunter2")),
    ])
    func whatCannotBeSentIsRefusedBeforeAnythingIs(authenticator: Authentication) async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let error = await failure { try await Client(stub) { $0.authenticator = authenticator }.get("/") }
        #expect(error?.code == .invalidOption)
        #expect(error?.reason.contains("authenticator") == true)
        #expect(Shown.texts(error as Any).allSatisfy { !$0.contains(Self.secret) })
        #expect(stub.requests.isEmpty)
    }

    // Law 9
    @Test func nothingShowsACredential() throws {
        let token = AccessToken(Self.secret, refreshToken: Self.secret, scope: "s", extras: ["k": Self.secret])
        let app = OAuthClient(id: "app", secret: Self.secret)
        let values: [Any] = [
            token, [token], app, MemoryTokenStore([TokenKey(service: "s", environment: "e"): token]), Authentication.bearer(Self.secret),
            Authentication.basic(user: "u", password: Self.secret), Authentication.apiKey(Self.secret, header: "X-K"),
            Authentication.apiKey(Self.secret, query: "k"), Authentication.digest(user: "u", password: Self.secret, hash: DigestTests.hash),
            OAuthAuthenticator(tokenURL: "/t", client: app), Authentication.oauth(tokenURL: "/t", client: app),
            Options { $0.authenticator = .bearer(Self.secret) },
        ]
        for value in values {
            for text in Shown.texts(value) { #expect(!text.contains(Self.secret), "\(type(of: value))") }
        }
        let client = Client(StubTransport { _ in .status(.ok) }) { $0.authenticator = .basic(user: "u", password: Self.secret) }
        let explained = client.explain(InlineEndpoint<Void>.get("/"))
        #expect(explained["authenticator"]?.value == "Basic")
        #expect(!explained.description.contains(Self.secret))
        #expect(!CurlPrinter().command(for: try client.request(for: InlineEndpoint<Void>.get("/"))).contains("aHVudGVy"))
    }

    @Test func aHostTakenAwayIsTheServicesNoMore() throws {
        var hosts = Hosts("https://s.example/v2", cdn: "https://cdn.example")
        let (origin, cdn) = (try HTTPURL("https://s.example:443/x").origin, try HTTPURL("https://cdn.example").origin)
        #expect(hosts.contain(origin) && hosts.contain(cdn))
        #expect(try !hosts.contain(HTTPURL("http://s.example").origin) && !hosts.contain(HTTPURL("https://s.example:8443").origin))
        hosts[.cdn] = nil
        #expect(hosts.contain(origin) && !hosts.contain(cdn))
        hosts[.origin] = "https://other.example"
        #expect(try !hosts.contain(origin) && hosts.contain(HTTPURL("https://other.example").origin))
    }

    // MARK: Principals

    private func principal(_ client: Client, _ path: String = "/", configure: (inout Options) -> Void = { _ in }) async throws -> Principal {
        let seen = Watched<Principal?>(nil)
        try await client.get(path) { options in
            configure(&options)
            options.interceptors.append(
                Intercepting { request, chain in
                    let principal = try await chain.context.principal(of: request)
                    seen.update { $0 = principal }
                    return try await chain.proceed(request)
                })
        }
        return try #require(seen.value)
    }

    @Test func differentCredentialsAreDifferentPrincipals() async throws {
        let client = Client(StubTransport { _ in .status(.ok) })
        let plain = try await principal(client)
        #expect(plain.isAnonymous)
        let changes: [@Sendable (inout Options) -> Void] = [
            { $0.authenticator = .bearer("a") }, { $0.authenticator = .bearer("b") }, { $0.authenticator = .basic(user: "a", password: "b") },
            { $0.authenticator = .apiKey("a", header: "X-K") }, { $0.authenticator = .apiKey("a", query: "k") },
            { $0.headers["Cookie"] = "a" }, { $0.headers["X-API-Key"] = "a" }, { $0.principal = "ann" }, { $0.principal = "bob" },
            { $0.authenticator = .digest(user: "a", password: "b", hash: DigestTests.hash) },
            { $0.authenticator = .digest(user: "a", password: "c", hash: DigestTests.hash) },
            { $0.authenticator = .basic(user: "a", password: "c") },
        ]
        var seen = [plain]
        for change in changes {
            let one = try await principal(client, configure: change)
            #expect(!seen.contains(one))
            #expect(try await principal(client, configure: change) == one)
            #expect(!one.isAnonymous)
            seen.append(one)
        }
        #expect(try await principal(client) { $0.headers["X-Plain"] = "a" } == plain)
        // Credentials are in no file: without a name, they are the principal.
        #expect(seen.dropFirst().allSatisfy { $0.openText == nil || !$0.name.isEmpty })
        let texts = seen.map { $0.text(hash: TestHashes.sha256) }
        #expect(Set(texts).count == seen.count)
        // A stranger gets no credentials, so they do not tell.
        #expect(try await principal(client, "https://other.example/") { $0.authenticator = .bearer("a") } == plain)
        #expect(seen.allSatisfy { principal in Shown.texts(principal).allSatisfy { !$0.contains("Bearer") } })
    }

    @Test func aLoginIsAPrincipalThatLastsOverRefreshesAndRestarts() async throws {
        let store = MemoryTokenStore()
        let rig = try await TokenRig(store: store).logIn()
        let first = try await principal(rig.client)
        rig.server.expire()
        _ = try await rig.get("/a")
        #expect(try await principal(rig.client) == first)
        let again = TokenRig(rig.server, store: store)
        #expect(try await principal(again.client) == first)
        _ = try await rig.client[TokenServer.service].logIn(AccessToken("access-1"))
        #expect(try await principal(rig.client) != first)
        _ = try await rig.client[TokenServer.service].logIn(AccessToken("access-1", account: "ann"))
        let ann = try await principal(rig.client)
        _ = try await rig.client[TokenServer.service].logIn(AccessToken("access-1", account: "ann"))
        #expect(try await principal(rig.client) == ann)
    }
}
