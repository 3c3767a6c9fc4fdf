import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// Reads and writes of a token store that fail for a moment.
@Suite("Token stores that fail for a moment", .timeLimit(.minutes(5)))
struct UncertainStoreTests {
    private final class Store: TokenStore {
        let memory = MemoryTokenStore()
        let failingReads = Locked(0), failingWrites = Locked(0), writes = Watched(0)

        private func check(_ failures: Locked<Int>) throws {
            let fails = failures.withLock { left in
                defer { left = max(0, left - 1) }
                return left > 0
            }
            if fails { throw CancellationError() }
        }
        func token(for key: TokenKey) throws -> AccessToken? {
            try check(failingReads)
            return memory.token(for: key)
        }
        func save(_ token: AccessToken, for key: TokenKey) throws {
            defer { writes.update { $0 += 1 } }
            try check(failingWrites)
            memory.save(token, for: key)
        }
        func removeToken(for key: TokenKey) { memory.removeToken(for: key) }
    }

    /// Guests get a token too.
    private struct Guests: Authenticator {
        func canRefresh(_ token: AccessToken?) -> Bool { token == nil || token?.refreshToken != nil }
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            token == nil ? AccessToken("guest", refreshToken: "rg", account: "guest") : AccessToken("ann2", refreshToken: "r2")
        }
    }

    private let store = Store(), time = ManualTime(), isOld = Watched(true)
    private let key = TokenKey(service: "s", environment: "production")

    private func client(_ store: any TokenStore, isFor guests: Bool = false) -> Client {
        let stub = StubTransport { [isOld] request in
            let sent = request.headers[.authorization] ?? "-"
            if request.url.path == "/token" {
                return .json(#"{"access_token":"new","token_type":"Bearer","expires_in":3600,"refresh_token":"r2"}"#)
            }
            return sent == "Bearer old" && !isOld.value ? .status(.unauthorized) : .text("for \(sent)")
        }
        return Client(transport: .stub(stub), services: [TokenServer.service], time: time) {
            $0.authenticator = guests ? .init(Guests(), store: store) : .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store)
        }
    }

    @Test(arguments: [1, 2, 3, 6]) func aGuestReplacesNoLoginThatCouldNotBeRead(failures: Int) async throws {
        store.memory.save(AccessToken("ann", refreshToken: "r", account: "ann"), for: key)
        store.failingReads.withLock { $0 = failures }
        let client = client(store, isFor: true)
        for _ in 0..<4 { _ = try? await client.get("/a", as: String.self) }
        await client.shutdown()
        #expect(store.memory.token(for: key)?.account == "ann")
    }

    /// Until then another process that shares the store uses the spent refresh token.
    @Test func aTokenThatCouldNotBeWrittenIsWrittenWithoutACall() async throws {
        let client = client(store)
        try await client.logIn(AccessToken("old", refreshToken: "r", account: "ann"))
        isOld.update { $0 = false }
        store.failingWrites.withLock { $0 = 5 }
        try await client.get("/a")
        var writes = 2
        for pause in [500, 1_000, 2_000, 2_000, 2_000] {
            #expect(store.memory.token(for: key)?.value == "old" && store.writes.value == writes)
            await eventually { time.nextDeadline == .milliseconds(pause) }
            time.advance(by: .milliseconds(pause))
            writes += 1
            _ = try await store.writes.wait { [writes] in $0 >= writes }
        }
        #expect(store.memory.token(for: key)?.refreshToken == "r2")
        await client.shutdown()
    }

    @Test func aTokenThatCouldNotBeWrittenIsWrittenAtTheShutdown() async throws {
        let client = client(store)
        try await client.logIn(AccessToken("old", refreshToken: "r", account: "ann"))
        isOld.update { $0 = false }
        store.failingWrites.withLock { $0 = 1 }
        try await client.get("/a")
        await client.shutdown()
        #expect(store.memory.token(for: key)?.refreshToken == "r2")
    }

    @Test func aLogInOfTheSameUserThatCannotBeWrittenEndsNoLogin() async throws {
        let client = client(store)
        try await client.logIn(AccessToken("1", refreshToken: "r", account: "ann"))
        store.failingWrites.withLock { $0 = 2 }
        await #expect(throws: TarmacError.self) { try await client.logIn(AccessToken("2", refreshToken: "r", account: "ann")) }
        await client.shutdown()
        #expect(store.memory.token(for: key)?.value == "1")
    }

    /// Bob's token could not be written here; Charlie logs in elsewhere; Bob's is refreshed here.
    @Test func aTokenThatCouldNotBeWrittenReplacesNoOther() async throws {
        let here = client(store), there = client(store.memory)
        try await here.logIn(AccessToken("ann", refreshToken: "ra", account: "ann"))
        store.failingWrites.withLock { $0 = 1 }
        await #expect(throws: TarmacError.self) { try await here.logIn(AccessToken("old", refreshToken: "rb", account: "bob")) }
        #expect(store.memory.token(for: key) == nil)
        try await there.logIn(AccessToken("charlie", refreshToken: "rc", account: "charlie"))
        isOld.update { $0 = false }
        _ = try? await here.get("/a", as: String.self)
        await here.shutdown()
        #expect(store.memory.token(for: key)?.account == "charlie")
        await there.shutdown()
    }

    /// The server takes a refresh token once, so its answer is the only copy of the next one.
    @Test func aShutdownWaitsForARefresh() async throws {
        let answers = Watched(false), asked = Watched(0)
        let stub = StubTransport { request in
            guard request.url.path == "/token" else { return .status(.unauthorized) }
            asked.update { $0 += 1 }
            _ = try await answers.wait { $0 }
            return .json(#"{"access_token":"new","token_type":"Bearer","expires_in":3600,"refresh_token":"r2"}"#)
        }
        let client = Client(transport: .stub(stub), services: [TokenServer.service], time: time) { [store] in
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store)
        }
        try await client.logIn(AccessToken("old", refreshToken: "r", account: "ann"))
        let call = Task { try await client.get("/a") }
        _ = try await asked.wait { $0 == 1 }
        let end = Task { await client.shutdown() }
        // The shutdown has ended the calls that wait for the token.
        await #expect(throws: TarmacError.self) { try await call.value }
        answers.update { $0 = true }
        await end.value
        #expect(store.memory.token(for: key)?.refreshToken == "r2")
    }
}
