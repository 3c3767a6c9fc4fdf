import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// Growth is counted: sessions that stay in memory.
@Suite("Growth of sessions", .timeLimit(.minutes(5)))
struct PrincipalGrowthTests {
    private let service = TokenServer.service

    private func client(_ store: (any TokenStore)?, maximumSessions: Int = 1_000, _ stub: StubTransport? = nil) -> Client {
        Client(transport: .stub(stub ?? StubTransport { _ in .status(.ok) }), services: [service]) {
            $0.authenticator = Authentication(
                OAuthAuthenticator(tokenURL: "/token", client: OAuthClient(id: "app"), maximumSessions: maximumSessions), store: store)
        }
    }

    private func sessions(_ client: Client) throws -> Int { try client.engine.runtime(service).scope.auth.total }

    @Test func aLoggedOutPrincipalLeavesNoSession() async throws {
        for store in [nil, MemoryTokenStore()] as [(any TokenStore)?] {
            let client = client(store)
            for number in 0..<50 { try await client[service].logIn(AccessToken("t"), as: "\(number)") }
            for number in 0..<50 { try await client.get("/") { $0.principal = "\(number)" } }
            #expect(try sessions(client) == 50)
            for number in 0..<50 { try await client[service].logOut("\(number)") }
            // A write that has just ended may still hold one. It goes with the next ones.
            for _ in 0..<50 { try await client[service].logOut("0") }
            #expect(try sessions(client) <= 1)
            #expect(await failure { try await client.get("/") { $0.principal = "7" } }?.code == .loggedOut)
            try await client[service].logIn(AccessToken("again"), as: "7")
            try await client.get("/") { $0.principal = "7" }
        }
    }

    @Test func theLastUsedOfStoredLoginsStay() async throws {
        let store = MemoryTokenStore(), client = client(store, maximumSessions: 10)
        for number in 0..<40 { try await client[service].logIn(AccessToken("t"), as: "\(number)") }
        #expect(try sessions(client) <= 11)
        // The store is asked for the others.
        for number in 0..<40 { try await client.get("/") { $0.principal = "\(number)" } }
        #expect(try sessions(client) <= 11)
    }

    @Test func loginsThatNoStoreKeepsStay() async throws {
        let client = client(nil, maximumSessions: 10)
        for number in 0..<40 { try await client[service].logIn(AccessToken("t"), as: "\(number)") }
        for number in 0..<40 { try await client.get("/") { $0.principal = "\(number)" } }
        #expect(try sessions(client) == 40)
    }

    @Test func aLoginThatCouldNotBeStoredStays() async throws {
        let client = client(RefusingStore(), maximumSessions: 10)
        for number in 0..<40 {
            #expect(await failure { try await client[service].logIn(AccessToken("t"), as: "\(number)") }?.code == .tokenStoreFailed)
        }
        for number in 0..<40 { try await client.get("/") { $0.principal = "\(number)" } }
        #expect(try sessions(client) == 40)
    }

    @Test func aSessionGoesWhenTheCallsOfItsLoginHaveEnded() async throws {
        let stub = StubTransport { _ in .status(.ok) }, client = client(nil, stub)
        try await client[service].logIn(AccessToken("t"), as: "ann")
        stub.hold()
        async let call: Void = client.get("/") { $0.principal = "ann" }
        try await stub.received(count: 1)
        try await client[service].logOut("ann")
        #expect(try sessions(client) == 1)
        stub.release()
        try await call
        // The next log-out of anyone releases it.
        for _ in 0..<3 { try await client[service].logOut("bob") }
        #expect(try sessions(client) <= 1)
    }
}

/// A store that refuses every write.
private struct RefusingStore: TokenStore {
    func token(for key: TokenKey) -> AccessToken? { nil }
    func save(_ token: AccessToken, for key: TokenKey) throws { throw CancellationError() }
    func removeToken(for key: TokenKey) throws { throw CancellationError() }
}
