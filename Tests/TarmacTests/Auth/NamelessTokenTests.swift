import Foundation
import TarmacCache
import TarmacCookies
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// Tokens that a store returns without an account: an app's own store over its session, or a token that the app has moved into a store.
@Suite("Tokens of a store without an account", .timeLimit(.minutes(5)))
struct NamelessTokenTests {
    private struct Logins: Authenticator {
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw CancellationError() }
    }

    /// The session that an app had before: two texts.
    private final class Session: TokenStore {
        let texts: Locked<[String]>
        let isFull = Locked(false)
        init(_ texts: [String]) { self.texts = Locked(texts) }
        func token(for key: TokenKey) -> AccessToken? { texts.withLock { $0.isEmpty ? nil : AccessToken($0[0], refreshToken: $0[1]) } }
        func save(_ token: AccessToken, for key: TokenKey) throws {
            if isFull.withLock({ $0 }) { throw CancellationError() }
            texts.withLock { $0 = [token.value, token.refreshToken ?? ""] }
        }
        func removeToken(for key: TokenKey) { texts.withLock { $0 = [] } }
    }

    private func client(_ stub: StubTransport, _ store: any TokenStore, _ configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            $0.authenticator = .init(Logins(), store: store)
            configure(&$0)
        }
    }

    @Test func theNextUserGetsNothingOfTheFirst() async throws {
        let stub = StubTransport { .text("for \($0.headers[.authorization] ?? "-")", headers: [.setCookie: "sid=1; Path=/"]) }
        let jar = CookieJar(), cache = MemoryCacheStore()
        for user in ["ann", "bob", "ann"] {
            let client = client(stub, Session([user, "refresh \(user)"])) {
                ($0.cache, $0.cacheStore, $0.cookies) = (.ttl(.seconds(600)), .store(cache), .jar(jar))
            }
            #expect(try await client.get("/me", as: String.self) == "for Bearer \(user)")
            await client.shutdown()
        }
        #expect(stub.requests.count == 2 && stub.requests.allSatisfy { !$0.headers.contains(.cookie) })
    }

    /// Says that it can always refresh, as those do that need no login.
    private struct Eager: Authenticator {
        func canRefresh(_ token: AccessToken?) -> Bool { true }
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { AccessToken("new", refreshToken: "r") }
    }

    @Test(arguments: ["no account", "empty account", "empty account at the log-in"])
    func theNextUserGetsNothingOfTheFirstWhateverTheAuthenticator(kind: String) async throws {
        let stub = StubTransport { .text("for \($0.headers[.authorization] ?? "-")", headers: [.setCookie: "sid=1; Path=/"]) }
        let jar = CookieJar(), cache = MemoryCacheStore()
        for user in ["ann", "bob"] {
            let store = MemoryTokenStore()
            if kind == "empty account" { store.save(AccessToken(user, account: ""), for: TokenKey(service: "s", environment: "production")) }
            let client = client(stub, store) {
                if kind == "no account" { $0.authenticator = .init(Eager(), store: Session([user, "refresh \(user)"])) }
                ($0.cache, $0.cacheStore, $0.cookies) = (.ttl(.seconds(600)), .store(cache), .jar(jar))
            }
            if kind == "empty account at the log-in" { try await client.logIn(AccessToken(user, account: "")) }
            #expect(try await client.get("/me", as: String.self) == "for Bearer \(user)")
            await client.shutdown()
        }
        #expect(stub.requests.count == 2 && stub.requests.allSatisfy { !$0.headers.contains(.cookie) })
    }

    @Test(arguments: [true, false]) func aStoreThatDropsTheAccountLosesNoCallAndIsReported(isNamed: Bool) async throws {
        let server = TokenServer(), ends = Locked(0), recorder = EventRecorder()
        let stub = StubTransport { try await server.answer($0) }
        let client = Client(transport: .stub(stub), services: [TokenServer.service]) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: Session([])) { _, _ in ends.withLock { $0 += 1 } }
            $0.observers = [recorder]
        }
        try await client.logIn(TokenServer.login(account: isNamed ? "ann" : nil))
        for round in 0..<3 {
            server.expire()
            try await client.get("/\(round)")
        }
        #expect(ends.withLock { $0 } == 0)
        await client.shutdown()
        #expect(recorder.events.count { if case .warning(let text) = $0.kind { text.contains("loses the account") } else { false } } == 1)
    }

    /// The disk is full: the token of Bob cannot be written, and that of Ann can be removed.
    @Test func theUserBeforeDoesNotComeBackWhenTheNewTokenCannotBeWritten() async throws {
        let store = Session([]), stub = StubTransport { _ in .json("{}") }
        let first = client(stub, store)
        try await first.logIn(AccessToken("ann", refreshToken: "r", account: "ann"))
        store.isFull.withLock { $0 = true }
        await #expect(throws: TarmacError.self) { try await first.logIn(AccessToken("bob", refreshToken: "r", account: "bob")) }
        try await first.get("/b")
        await #expect(throws: TarmacError.self) { try await client(stub, store).get("/c") }
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer bob"])
        await first.shutdown()
    }
}
