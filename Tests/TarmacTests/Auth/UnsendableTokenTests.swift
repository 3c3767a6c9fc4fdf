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
