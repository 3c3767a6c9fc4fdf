import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacAuth

/// In which order the changes of a login reach a store that others use too.
@Suite(.timeLimit(.minutes(5)))
struct LogOutOrderTests {
    private static let service = TokenServer.service, key = TokenKey(service: "s", environment: "production")

    /// A store whose look at the entry lasts until another client has tried to write.
    private final class Gated: LockableTokenStore {
        private let memory = MemoryTokenStore()
        private let isOpen = Watched(false)
        let holds = Watched(false), isHeld = Watched(false)

        func token(for key: TokenKey) async throws -> AccessToken? {
            let token = memory.token(for: key)
            if holds.value, key == LogOutOrderTests.key {
                isHeld.update { $0 = true }
                _ = try await isOpen.wait { $0 }
            }
            return token
        }
        func save(_ token: AccessToken, for key: TokenKey) {
            memory.save(token, for: key)
            if holds.value { isOpen.update { $0 = true } }
        }
        func removeToken(for key: TokenKey) {
            memory.removeToken(for: key)
            if holds.value { isOpen.update { $0 = true } }
        }
        func tryLock(_ key: TokenKey) -> TokenLock? { memory.tryLock(key) }
        func tryWriteLock(_ key: TokenKey) -> TokenLock? {
            let lock = memory.tryWriteLock(key)
            if lock == nil { isOpen.update { $0 = true } }
            return lock
        }
    }

    private func client(_ server: TokenServer, _ store: any TokenStore) -> Client {
        Client(transport: .stub(StubTransport { try await server.answer($0) }), services: [Self.service]) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store)
        }
    }

    @Test(arguments: [true, false])
    func changeOfOneProcessIsNotUndoneByARefreshOfAnother(isLogIn: Bool) async throws {
        let server = TokenServer(), store = Gated(), app = client(server, store), other = client(server, store)
        try await app.logIn(TokenServer.login(account: "ann"))
        server.expire()
        server.gate.update { $0 = false }
        // Whether it lands depends on which of both came first.
        let call = Task { _ = try? await app.get("/a") }
        await eventually { server.refreshes == 1 }
        store.holds.update { $0 = true }
        server.gate.update { $0 = true }
        await eventually { store.isHeld.value }
        if isLogIn { try await other.logIn(AccessToken("bob-1", refreshToken: "bob-r", account: "bob")) } else { try await other.logOut() }
        _ = await call.value
        store.holds.update { $0 = false }
        let left = try await store.token(for: Self.key)
        #expect(left?.value == (isLogIn ? "bob-1" : nil))
    }

    /// A store whose lock of writes a suspended process holds.
    private struct Occupied: LockableTokenStore {
        let memory = MemoryTokenStore()
        func token(for key: TokenKey) -> AccessToken? { memory.token(for: key) }
        func save(_ token: AccessToken, for key: TokenKey) { memory.save(token, for: key) }
        func removeToken(for key: TokenKey) { memory.removeToken(for: key) }
        func tryLock(_ key: TokenKey) -> TokenLock? { memory.tryLock(key) }
        func tryWriteLock(_ key: TokenKey) -> TokenLock? { nil }
    }

    @Test func aWriteGoesOnWithoutALockThatAnotherProcessHolds() async throws {
        let store = Occupied(), app = client(TokenServer(), store)
        try await app.logIn(TokenServer.login())
        #expect(store.token(for: Self.key)?.value == "access-0")
    }

    /// An authenticator whose cancelled refresh does something of the app's before the log-out goes on.
    private final class Hooked: Authenticator {
        let began = Watched(false)
        let hook: @Sendable () -> Void

        init(_ hook: @escaping @Sendable () -> Void) { self.hook = hook }

        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            began.update { $0 = true }
            let never = AsyncStream<Void>.makeStream()
            await withTaskCancellationHandler {
                for await _ in never.stream {}
            } onCancel: {
                hook()
            }
            throw CancellationError()
        }
    }

    @Test func callThatBeginsDuringALogOutFindsNoLogin() async throws {
        for _ in 0..<50 {
            let store = MemoryTokenStore(), place = Locked<Client?>(nil), later = Locked<[Task<Void, Never>]>([])
            // Runs before the log-out goes on, and must not wait: a cancelled task is locked meanwhile.
            let authenticator = Hooked {
                guard let client = place.withLock({ $0 }) else { return }
                later.withLock { $0 = (0..<4).map { _ in Task { _ = try? await client.get("/later") } } }
            }
            let stub = StubTransport { $0.url.path == "/later" ? .status(.ok) : .status(.unauthorized) }
            let client = Client(transport: .stub(stub), services: [Self.service]) { $0.authenticator = Authentication(authenticator, store: store) }
            place.withLock { $0 = client }
            try await client.logIn(AccessToken("old", refreshToken: "r", account: "ann"))
            let call = Task { await failure { try await client.get("/a") } }
            await eventually { authenticator.began.value }
            try await client.logOut()
            #expect(await call.value?.code == .loggedOut)
            for task in later.withLock({ $0 }) { await task.value }
            #expect(store.token(for: Self.key) == nil && !stub.requests.contains { $0.url.path == "/later" })
            place.withLock { $0 = nil }
        }
    }

    /// The tokens of the app itself and of its user are kept apart, and so are those of two tenants.
    @Test func authenticatorsOfOneServiceShareNoEntry() async throws {
        let store = MemoryTokenStore(), app = OAuthClient(id: "app", secret: "s")
        let stub = StubTransport { request in
            guard request.url.path == "/token" else { return .status(.ok) }
            return .json(#"{"access_token":"of-\#(request.url.query ?? "app")","token_type":"Bearer","expires_in":3600}"#)
        }
        let client = Client(transport: .stub(stub), services: [Self.service]) {
            $0.authenticator = .oauth(tokenURL: "/token", client: app, store: store)
        }
        try await client.logIn(AccessToken("ann-1", refreshToken: "r", account: "ann"))
        for _ in 0..<2 {
            try await client.get("/mine")
            for tenant in ["a", "b"] {
                try await client.get("/catalog") {
                    $0.authenticator = .clientCredentials(tokenURL: "/token?tenant=\(tenant)", client: app, store: store)
                }
            }
        }
        let sent = stub.requests.filter { $0.url.path != "/token" }.map { $0.headers[.authorization] ?? "" }
        #expect(sent == ["Bearer ann-1", "Bearer of-tenant=a", "Bearer of-tenant=b", "Bearer ann-1", "Bearer of-tenant=a", "Bearer of-tenant=b"])
        #expect(store.token(for: Self.key)?.value == "ann-1")
    }

    /// The server has replaced the refresh token, and its answer takes longer than a store may.
    @Test func shutdownWaitsForTheAnswerToARefresh() async throws {
        let time = ManualTime(), rig = try await TokenRig(time: time).logIn()
        rig.server.expire()
        rig.server.gate.update { $0 = false }
        let call = Task { await failure { _ = try await rig.get("/a") } }
        await eventually { rig.server.refreshes == 1 }
        let shutdown = Task { await rig.client.shutdown() }
        _ = await call.value
        time.advance(by: .seconds(5))
        rig.server.gate.update { $0 = true }
        await shutdown.value
        #expect(rig.store.token(for: Self.key)?.refreshToken == "refresh-1")
    }
}
