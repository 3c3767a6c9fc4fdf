import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// Those who wait for a token, and what they keep from others meanwhile.
@Suite("Refresh: who waits", .timeLimit(.minutes(5)))
struct RefreshWaitTests {
    private let recorder = EventRecorder()
    private let time = ManualTime()
    private static let elsewhere = Service("t", host: "https://t.example")

    private func client(_ stub: StubTransport, concurrency: Int = 64, _ authenticator: Authentication) -> Client {
        Client(transport: .stub(stub), services: [TokenServer.service, Self.elsewhere], concurrency: concurrency, time: time) {
            $0.authenticator = authenticator
            $0.observers = [recorder]
            // No other watch is in the way.
            $0.timeout = .unlimited
            $0.idleTimeout = .unlimited
            $0.connectTimeout = .unlimited
        }
    }

    private func count(_ name: String) -> Int { recorder.names.count { $0 == name } }

    /// Lands a call, and records an issue if it has to stand in line first; then `release` lets it through.
    private func landsWithoutAQueue(
        _ client: Client, on stub: StubTransport, release: () -> Void, configure: @escaping @Sendable (inout Options) -> Void = { _ in }
    ) async throws {
        let queued = count("queued")
        let call = Task { try await client[TokenServer.service].get("/other", as: Number.self, configure: configure) }
        await eventually { count("queued") > queued || stub.requests.contains { $0.url.path == "/other" } }
        #expect(count("queued") == queued)
        release()
        #expect(try await call.value.n == 1)
    }

    // MARK: A refresh that waits for another

    /// Gets its token from a server that wants another one.
    private struct Borrower: Authenticator {
        func canRefresh(_ token: AccessToken?) -> Bool { true }
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            AccessToken("lent-\(try await context.client[TokenServer.service].get("/lend", as: Number.self).n)")
        }
    }

    /// It needs no slot, so none is kept for it: nobody would ever take it.
    @Test(arguments: [false, true])
    func aRefreshThatWaitsForAnotherTokenLandsAndKeepsNoSlotFromCalls(isElsewhere: Bool) async throws {
        let borrowing = isElsewhere ? Self.elsewhere : TokenServer.service
        let server = TokenServer(), lends = Watched(false)
        let stub = StubTransport { request in
            let authorization = request.headers[.authorization]
            if request.url.path == "/borrow" { return authorization == "Bearer lent-1" ? .json(#"{"n":2}"#) : .status(.unauthorized) }
            if request.url.path == "/lend", authorization == "Bearer access-1" { try await lends.wait { $0 } }
            return try await server.answer(request)
        }
        let client = client(stub, concurrency: 2, .oauth(tokenURL: "/token", client: OAuthClient(id: "app")))
        try await client[TokenServer.service].logIn(TokenServer.login())
        server.expire()
        server.gate.update { $0 = false }
        let borrower = Task {
            try await client[borrowing].get("/borrow", as: Number.self) {
                $0.authenticator = Authentication(Borrower())
                $0.principal = "borrower"
            }
        }
        // Refused, it waits for the token of the other session.
        try await stub.received { $0.contains { $0.url.path == "/token" } }
        server.gate.update { $0 = true }
        try await stub.received { $0.count { $0.url.path == "/lend" } == 2 }
        try await landsWithoutAQueue(client, on: stub) { lends.update { $0 = true } }
        #expect(try await borrower.value.n == 2)
        #expect(server.refreshes == 1 && server.faults == [])
    }

    // MARK: A store that does not answer

    private struct SilentStore: TokenStore {
        let reads = Watched(0), gate = Watched(false)
        func token(for key: TokenKey) async throws -> AccessToken? {
            reads.update { $0 += 1 }
            try await gate.wait { $0 }
            return nil
        }
        func save(_ token: AccessToken, for key: TokenKey) {}
        func removeToken(for key: TokenKey) {}
    }

    /// What needs no login would else ask for a token, and wait as long again until it is written behind the same reading.
    @Test func clientCredentialsWaitOnceForAStoreThatNeverAnswers() async throws {
        let store = SilentStore()
        let stub = StubTransport { request in
            request.url.path == "/token" ? .json(#"{"access_token":"t","token_type":"Bearer"}"#) : .json(#"{"n":1}"#)
        }
        let app = OAuthClient(id: "app", secret: "s"), rule = RefreshRule { $0.timeout = .seconds(20) }
        let client = client(stub, .clientCredentials(tokenURL: "/token", client: app, store: store, rule: rule))
        for number in 1...2 {
            let start = time.now, end = Watched<ContinuousClock.Instant?>(nil)
            let call = Task {
                let error = await failure { try await client.get("/a") }
                end.update { $0 = time.now }
                return error
            }
            // However long it takes, in steps of the rule's limit.
            while end.value == nil {
                await eventually { time.sleepers > 0 || end.value != nil }
                if end.value == nil, let next = time.nextDeadline {
                    time.advance(by: next)
                    await eventually { count("tokenStoreFailed") == number || end.value != nil }
                }
            }
            #expect(await call.value?.code == .tokenStoreFailed)
            #expect(end.value == start + .seconds(20))
            #expect(count("tokenStoreFailed") == number)
        }
        #expect(store.reads.value == 1 && stub.requests.isEmpty)
        store.gate.update { $0 = true }
        try await client.get("/a")
        #expect(stub.requests.map(\.url.path) == ["/token", "/a"])
    }
}
