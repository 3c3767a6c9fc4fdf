import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) import TarmacCore

@Suite("Tokens that cannot be sent", .timeLimit(.minutes(5)))
struct UnsendableTokenTests {
    private struct Renewing: Authenticator {
        let answers: Locked<[String]>
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            AccessToken(answers.withLock { $0.removeFirst() }, refreshToken: "r")
        }
    }

    /// A text with its line end. Kept, it would fail every call, and no refusal of the server would renew it.
    @Test(arguments: ["new\n", " new", "", "new token", "n\u{E9}w"])
    func theRefreshHasFailedAndTheNextOneCounts(value: String) async throws {
        let stub = StubTransport { $0.headers[.authorization] == "Bearer good" ? .json("{}") : .status(.unauthorized) }
        let renewing = Renewing(answers: Locked([value, "good"])), service = Service("s", host: "https://s.example")
        let client = Client(transport: .stub(stub), services: [service]) { $0.authenticator = .init(renewing) }
        try await client[service].logIn(AccessToken("old", refreshToken: "r"))
        await #expect(throws: TarmacError.self) { try await client.get("/a") }
        try await client.get("/a")
    }

    /// Laravel's form of a token, which RFC 6749 §A.12 allows.
    @Test func oneThatIsNoB64TokenIsSent() async throws {
        let stub = StubTransport { $0.headers[.authorization] == "Bearer 2|AbCd" ? .json("{}") : .status(.unauthorized) }
        let service = Service("s", host: "https://s.example")
        let client = Client(transport: .stub(stub), services: [service]) { $0.authenticator = .init(Renewing(answers: Locked([]))) }
        try await client[service].logIn(AccessToken("2|AbCd"))
        try await client.get("/a")
        await client.shutdown()
    }

    /// The old one is spent: the next refresh asks with the one that came beside the token.
    @Test(arguments: [true, false]) func theRefreshTokenThatCameWithItIsKept(isOAuth: Bool) async throws {
        let asked = Locked<[String]>([])
        let answer: @Sendable (String) -> (token: String, refresh: String) = { asked in asked == "r1" ? ("new token", "r2") : ("good", "r3") }
        let stub = StubTransport { request in
            guard request.url.path == "/token" else { return request.headers[.authorization] == "Bearer good" ? .json("{}") : .status(.unauthorized) }
            let form = request.text
            let spent = form.contains("r1") ? "r1" : form.contains("r2") ? "r2" : form
            asked.withLock { $0.append(spent) }
            return .json(#"{"access_token":"\#(answer(spent).token)","refresh_token":"\#(answer(spent).refresh)","token_type":"bearer"}"#)
        }
        let service = Service("s", host: "https://s.example")
        let client = Client(transport: .stub(stub), services: [service]) {
            $0.authenticator = isOAuth ? .oauth(tokenURL: "/token", client: OAuthClient(id: "app")) : .init(Rotating(asked: asked, answer: answer))
        }
        try await client[service].logIn(AccessToken("old", refreshToken: "r1"))
        await #expect(throws: TarmacError.self) { try await client.get("/a") }
        try await client.get("/a")
        #expect(asked.withLock { $0 } == ["r1", "r2"])
        await client.shutdown()
    }

    private struct Rotating: Authenticator {
        let asked: Locked<[String]>
        let answer: @Sendable (String) -> (token: String, refresh: String)
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            let spent = token?.refreshToken ?? ""
            asked.withLock { $0.append(spent) }
            return AccessToken(answer(spent).token, refreshToken: answer(spent).refresh)
        }
    }

    /// One that another version of the app has stored, or the app has logged in with.
    @Test(arguments: ["new\n", " new", "", "new token", "n\u{E9}w", "a\u{0}"], ["stored", "logged in"])
    func aStoredOneIsRenewed(value: String, how: String) async throws {
        let stub = StubTransport { request in
            if request.url.path == "/token" { return .json(#"{"access_token":"good","token_type":"bearer","expires_in":3600}"#) }
            return request.headers[.authorization] == "Bearer good" ? .json("{}") : .status(.unauthorized)
        }
        let service = Service("s", host: "https://s.example"), store = MemoryTokenStore()
        let token = AccessToken(value, refreshToken: "r")
        if how == "stored" { store.save(token, for: TokenKey(service: "s", environment: "production")) }
        let client = Client(transport: .stub(stub), services: [service]) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store)
        }
        if how != "stored" { try await client[service].logIn(token) }
        try await client.get("/a")
        #expect(stub.requests.count { $0.url.path == "/token" } == 1)
        await client.shutdown()
    }
}
