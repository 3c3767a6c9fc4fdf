#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCache
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP

@Suite("OAuth 2", .timeLimit(.minutes(5)))
struct OAuthTests {
    private let service = Service("s", host: "https://s.example/v2")

    private func client(_ stub: StubTransport, _ authenticator: Authentication, time: any TimeSource = .system) -> Client {
        Client(transport: .stub(stub), services: [service], time: time) {
            $0.authenticator = authenticator
            // None of these is the token endpoint's business.
            $0.envelope = .init(success: { _ in false })
            $0.envelope = .off
            $0.parameters = ["common": "1"]
        }
    }

    @Test(arguments: [
        (OAuthClient(id: "app"), "client_id=app&grant_type=refresh_token&refresh_token=r%2B1", nil),
        (OAuthClient(id: "a:b", secret: "p w%"), "grant_type=refresh_token&refresh_token=r%2B1", "Basic YSUzQWI6cCt3JTI1"),
        (
            OAuthClient(id: "app", secret: "s&t", identification: .body),
            "client_id=app&client_secret=s%26t&grant_type=refresh_token&refresh_token=r%2B1", nil
        ),
    ])
    func theRefreshIsAskedForAsTheSpecificationSays(app: OAuthClient, form: String, authorization: String?) async throws {
        let stub = StubTransport { request in
            if request.url.path == "/v2/token" { return .json(#"{"access_token":"new","token_type":"bearer"}"#) }
            return request.headers[.authorization] == "Bearer new" ? .status(.ok) : .status(.unauthorized)
        }
        let client = client(stub, .oauth(tokenURL: "/token", client: app))
        try await client[service].logIn(AccessToken("old", refreshToken: "r+1"))
        try await client.get("/a")
        let request = try #require(stub.requests.first { $0.url.path == "/v2/token" })
        #expect(request.method == .post)
        #expect(request.text.split(separator: "&").sorted() == form.split(separator: "&").sorted())
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(request.headers[.authorization] == authorization)
        #expect(request.url.query == nil)
    }

    @Test func clientCredentialsNeedNoLogIn() async throws {
        let time = ManualTime()
        let stub = StubTransport { request in
            request.url.host == "auth.example" ? .json(#"{"access_token":"t","expires_in":"100","scope":"read"}"#) : .status(.ok)
        }
        let app = OAuthClient(id: "app", secret: "s")
        let client = client(stub, .clientCredentials(tokenURL: "https://auth.example/token", client: app, scope: "read write"), time: time)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { try await client.get("/a") } }
            try await group.waitForAll()
        }
        let asked = stub.requests.filter { $0.url.host == "auth.example" }
        #expect(asked.count == 1)
        #expect(asked.first?.text == "grant_type=client_credentials&scope=read+write")
        time.advance(by: .seconds(101))
        try await client.get("/a")
        #expect(stub.requests.count { $0.url.host == "auth.example" } == 2)
    }

    /// The app is known without a token.
    @Test func clientCredentialsWithoutANetworkUseFreshStoredResponses() async throws {
        let (store, isOffline, time) = (MemoryCacheStore(), Watched(false), ManualTime())
        let stub = StubTransport { request in
            if isOffline.value { throw TarmacError(.cannotFindHost, phase: .connecting) }
            return request.url.path == "/token" ? .json(#"{"access_token":"t"}"#) : .json("[1]", headers: [.cacheControl: "private, max-age=60"])
        }
        func launched() -> Client {
            Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
                let rule = RefreshRule { $0.maximumAttempts = 1 }
                $0.authenticator = .clientCredentials(tokenURL: "/token", client: OAuthClient(id: "app", secret: "s"), rule: rule)
                $0.cache = .http
                $0.cacheStore = .store(store)
            }
        }
        let first = launched()
        try await first.get("/a")
        await first.shutdown()
        isOffline.update { $0 = true }
        let second = launched()
        // The second comes in the pause after the refresh that failed.
        for _ in 0..<2 { #expect(try await second.get("/a", as: [Int].self) == [1]) }
        #expect(await failure { try await second.get("/b") }?.code == .refreshFailed)
    }

    /// RFC 6749 §4.4.3 only advises against a refresh token there.
    @Test func aLostAnswerEndsNoClientCredentialsEvenIfARefreshTokenCameWithThem() async throws {
        let (time, asked) = (ManualTime(), Watched(0))
        let stub = StubTransport { request in
            guard request.url.host == "auth.example" else { return .status(.ok) }
            asked.update { $0 += 1 }
            if asked.value == 2 { throw TarmacError(.connectionLost, phase: .waiting) }
            return .json(#"{"access_token":"t\#(asked.value)","expires_in":100,"refresh_token":"r"}"#)
        }
        let app = OAuthClient(id: "app", secret: "s"), rule = RefreshRule { $0.backOff = .zero }
        let store = MemoryTokenStore()
        let client = client(stub, .clientCredentials(tokenURL: "https://auth.example/token", client: app, store: store, rule: rule), time: time)
        try await client.get("/a")
        time.advance(by: .seconds(101))
        try await client.get("/a")
        #expect(asked.value == 3)
        #expect(stub.requests.last?.headers[.authorization] == "Bearer t3")
    }

    /// What an answer of the token endpoint makes of a call that needs it.
    struct Ending: Sendable, CustomTestStringConvertible {
        var status: Int, body: String, code: TarmacError.Code, isLoggedOut: Bool
        var testDescription: String { "\(status) \(body)" }
    }

    // RFC 6749 §5.2
    @Test(arguments: [
        Ending(status: 400, body: #"{"error":"invalid_grant"}"#, code: .loggedOut, isLoggedOut: true),
        Ending(status: 401, body: #"{"error":"invalid_grant"}"#, code: .loggedOut, isLoggedOut: true),
        Ending(status: 401, body: #"{"error":"invalid_token"}"#, code: .loggedOut, isLoggedOut: true),
        Ending(status: 400, body: "<html>", code: .refreshFailed, isLoggedOut: false),
        Ending(status: 401, body: #"{"error":"invalid_client"}"#, code: .refreshFailed, isLoggedOut: false),
        Ending(status: 400, body: #"{"error":"invalid_scope"}"#, code: .refreshFailed, isLoggedOut: false),
        Ending(status: 404, body: "", code: .refreshFailed, isLoggedOut: false),
        Ending(status: 503, body: "", code: .refreshFailed, isLoggedOut: false),
        Ending(status: 302, body: "", code: .refreshFailed, isLoggedOut: false),
        // Something else may have answered.
        Ending(status: 200, body: "{}", code: .refreshFailed, isLoggedOut: false),
        Ending(status: 200, body: #"{"access_token":"hunter2","token_type":"mac"}"#, code: .refreshFailed, isLoggedOut: false),
        Ending(status: 200, body: "hunter2", code: .refreshFailed, isLoggedOut: false),
        Ending(status: 200, body: #"{"access_token":"hunter2\r\nX: y"}"#, code: .refreshFailed, isLoggedOut: false),
        Ending(status: 200, body: #"{"access_token":7}"#, code: .refreshFailed, isLoggedOut: false),
        // Servers that refuse with 200.
        Ending(status: 200, body: #"{"error":"invalid_grant","error_description":"hunter2"}"#, code: .loggedOut, isLoggedOut: true),
        Ending(status: 200, body: #"{"error":"invalid_client"}"#, code: .refreshFailed, isLoggedOut: false),
    ])
    func whatTheTokenEndpointSaysDecides(ending: Ending) async throws {
        let stub = StubTransport { request in
            guard request.url.path == "/v2/token" else { return .status(.unauthorized) }
            return .json(ending.body, status: .init(code: ending.status), headers: [.location: "https://evil.example/"])
        }
        let loggedOut = Watched<[LogOutReason]>([])
        let rule = RefreshRule { $0.maximumAttempts = 1 }
        let client = client(
            stub, .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), rule: rule) { _, reason in loggedOut.update { $0.append(reason) } })
        try await client[service].logIn(AccessToken("old", refreshToken: "r"))
        let error = await failure { try await client.get("/a") }
        #expect(error?.code == ending.code)
        #expect(stub.requests.allSatisfy { $0.url.host == "s.example" })
        #expect(Shown.texts(error as Any).allSatisfy { !$0.contains("hunter2") })
        if ending.isLoggedOut { await eventually { loggedOut.value.count == 1 } }
        #expect(loggedOut.value.isEmpty == !ending.isLoggedOut)
    }

    @Test func theTokenEndpointMustBeHTTPSUnlessItIsThisMachine() async throws {
        let stub = StubTransport { request in
            request.url.path == "/token"
                ? .json(#"{"access_token":"new"}"#) : request.headers[.authorization] == "Bearer new" ? .status(.ok) : .status(.unauthorized)
        }
        for (url, isFine) in [("http://auth.example/token", false), ("http://127.0.0.1:8080/token", true), ("https://auth.example/token", true)] {
            let client = client(stub, .oauth(tokenURL: url, client: OAuthClient(id: "app")))
            try await client[service].logIn(AccessToken("old", refreshToken: "r"))
            if isFine { try await client.get("/a") } else { #expect(await failure { try await client.get("/a") }?.code == .refreshFailed) }
        }
    }

    @Test func aServerThatDoesNotRotateKeepsTheRefreshToken() throws {
        let answer = OAuthAnswer(.json(#"{"access_token":"b","expires_in":60}"#))
        let old = AccessToken("a", refreshToken: "r", expiry: nil, scope: "s", extras: ["k": "v"], account: "ann")
        let token = try answer.token(after: old, now: .init(timeIntervalSince1970: 0))
        #expect(token == AccessToken("b", refreshToken: "r", expiry: .init(timeIntervalSince1970: 60), scope: "s", extras: ["k": "v"], account: "ann"))
    }

    /// RFC 6749 §5.1: seconds; what is none of a number of them is no expiry, and the server's 401 tells.
    @Test(
        arguments: [
            ("60", 60), (#""60""#, 60), ("0", 0), ("1.5", 1.5), ("-1", nil), (#""soon""#, nil), ("null", nil), ("[60]", nil), ("true", nil), ("1e300", nil),
            (#""nan""#, nil), (#""inf""#, nil),
        ] as [(String, Double?)])
    func aLifetimeThatIsNoneIsNoExpiry(text: String, seconds: Double?) throws {
        let answer = OAuthAnswer(.json(#"{"access_token":"b","expires_in":\#(text)}"#))
        let token = try answer.token(after: AccessToken("a", expiry: .init(timeIntervalSince1970: 5)), now: .init(timeIntervalSince1970: 0))
        #expect(token.expiry == seconds.map { .init(timeIntervalSince1970: $0) })
    }

    // MARK: An authenticator of one's own

    struct OwnAuthenticator: Authenticator {
        let client = Watched<Client?>(nil)

        func authorize(_ request: inout Request, with token: AccessToken) { request.headers[.cookie] = "sid=\(token.value)" }

        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            // The app's own client, to the same service, past nothing that was set up for this.
            let captured = try #require(client.value)
            let text = try await captured.post("/renew", ["with": token?.refreshToken], as: String.self)
            let other = try await context.client.get("/other", as: String.self)
            return AccessToken(text + other, refreshToken: "r")
        }
    }

    struct EnvelopeAuthenticator: Authenticator {
        let ends = Watched<[LogOutReason]>([])

        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            AccessToken(try await context.client.post("/token", as: JSON.self)["token"].string ?? "")
        }

        func didLogOut(_ key: TokenKey, _ reason: LogOutReason) { ends.update { $0.append(reason) } }
    }

    /// Many servers refuse with status 200. Only a code that the envelope calls expired ends the login.
    @Test(arguments: [("40102", true), ("50000", false), (#""A0230""#, true), (#""40102""#, true), (#""A0231""#, false)])
    func aRefreshRefusedInsideTheEnvelopeEndsTheLogin(code: String, ends: Bool) async throws {
        let stub = StubTransport { $0.url.path == "/v2/token" ? .json(#"{"code":\#(code)}"#) : .json(#"{"code":40101}"#) }
        let own = EnvelopeAuthenticator()
        let client = Client(transport: .stub(stub), services: [service]) {
            $0.authenticator = Authentication(own)
            $0.envelope = Envelope(success: { $0["code"] == 0 }, code: "code", payload: "data", expired: [40101, 40102, "A0230"])
        }
        try await client.logIn(AccessToken("old", refreshToken: "r"))
        let error = await #expect(throws: TarmacError.self) { try await client.get("/a", as: JSON.self) }
        #expect(error?.code == (ends ? .loggedOut : .refreshFailed))
        let next = await #expect(throws: TarmacError.self) { try await client.get("/a", as: JSON.self) }
        #expect(next?.code == (ends ? .loggedOut : .refreshFailed))
        await client.shutdown()
        #expect(own.ends.value == (ends ? [.refused] : []))
    }

    @Test func anAuthenticatorMayUseTheSameClientAndService() async throws {
        let stub = StubTransport { request in
            switch request.url.path {
            case "/v2/renew": .text("new")
            case "/v2/other": .text(request.headers.contains(.cookie) ? "carries it" : "-token")
            default: request.headers[.cookie] == "sid=new-token" ? .status(.ok) : .status(.unauthorized)
            }
        }
        let own = OwnAuthenticator()
        let client = Client(transport: .stub(stub), services: [service], concurrency: 1) { $0.authenticator = Authentication(own) }
        own.client.update { $0 = client }
        try await client[service].logIn(AccessToken("old", refreshToken: "r"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await client.get("/a") } }
            try await group.waitForAll()
        }
        #expect(stub.requests.count { $0.url.path == "/v2/renew" } == 1)
        #expect(client.explain(InlineEndpoint<Void>.get("/"))["authenticator"]?.value == "OwnAuthenticator")
        own.client.update { $0 = nil }
    }
}
