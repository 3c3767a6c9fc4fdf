#if Redis && canImport(Glibc)
import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport
import TarmacTesting
import Testing

@testable import TarmacAuth
@testable import TarmacRedis

@Suite("Redis: tokens", .timeLimit(.minutes(5)))
struct RedisTokenStoreTests {
    private let key = TokenKey(service: "shop", environment: "production", principal: "ann")
    private let token = AccessToken("planted-token", refreshToken: "planted-refresh", expiry: Date(timeIntervalSince1970: 4e9), account: "ann")

    private func store(_ commands: any RedisCommands, sealer: (any Sealer)? = nil, lease: Duration = .seconds(5)) -> RedisTokenStore {
        RedisTokenStore(commands, prefix: "tarmac:", sealer: sealer, lease: lease)
    }

    @Test(arguments: [false, true])
    func aTokenIsFoundByEveryProcess(isSealed: Bool) async throws {
        let server = try await RedisServer(), sealer = isSealed ? XORSealer() : nil
        let one = store(server.client(), sealer: sealer), other = store(server.client(), sealer: sealer)
        #expect(try await one.token(for: key) == nil)
        try await one.save(token, for: key)
        #expect(try await other.token(for: key)?.isSame(as: token) == true)
        #expect(try await other.token(for: TokenKey(service: "shop", environment: "production")) == nil)
        let stored = try await server.client().run("GET", "tarmac:{token:\(key.text)}").bytes.map { String(decoding: $0, as: UTF8.self) }
        #expect(stored?.contains("planted") == !isSealed)
        try await other.removeToken(for: key)
        #expect(try await one.token(for: key) == nil)
    }

    @Test func whatIsNoTokenIsDamagedAndWhatCannotBeOpenedIsNot() async throws {
        let server = try await RedisServer(), plain = store(server.client())
        _ = try await server.client().run("SET", "tarmac:{token:\(key.text)}", "planted-damage")
        do {
            _ = try await plain.token(for: key)
            Issue.record("it is a token")
        } catch let error as TarmacError {
            #expect(error.code == .tokenStoreFailed && error.cause(as: UnusableContent.self) != nil && !"\(error)".contains("planted"))
        }
        // The next call finds no login, and the app asks for it.
        #expect(try await plain.token(for: key) == nil)
        #expect(try await server.client().run("GET", "tarmac:{token:\(key.text)}:damaged").bytes == Bytes("planted-damage"))
        try await store(server.client(), sealer: XORSealer(keys: [7])).save(token, for: key)
        await #expect(throws: TarmacError.self) { try await store(server.client(), sealer: XORSealer(keys: [8])).token(for: key) }
        // A seal of one entry does not open another.
        _ = try await server.client().run("COPY", "tarmac:{token:\(key.text)}", "tarmac:{token:\(TokenKey(service: "b", environment: "c").text)}")
        await #expect(throws: TarmacError.self) {
            try await store(server.client(), sealer: XORSealer(keys: [7])).token(for: TokenKey(service: "b", environment: "c"))
        }
    }

    @Test func oneHasTheLock() async throws {
        let server = try await RedisServer(), one = store(server.client()), other = store(server.client())
        let lock = try #require(try await one.tryLock(key))
        #expect(!lock.isContested)
        #expect(try await other.tryLock(key) == nil)
        lock.end()
        var next: TokenLock?
        try await eventually(trying: {
            next = try await other.tryLock(key)
            return next != nil
        })
        #expect(next?.isContested == false)
        // Its owner has gone: releasing again takes nothing from the next.
        lock.end()
        try await eventually(trying: { try await server.client().run("GET", "tarmac:{token:\(key.text)}:lock").bytes != nil })
        #expect(try await one.tryLock(key) == nil)
        next?.end()
    }

    @Test func aWriteHasALockOfItsOwn() async throws {
        let server = try await RedisServer(), one = store(server.client()), other = store(server.client())
        let refresh = try #require(try await one.tryLock(key)), write = try #require(try await other.tryWriteLock(key))
        #expect(try await one.tryWriteLock(key) == nil)
        write.end()
        try await eventually(trying: { try await one.tryWriteLock(key) != nil })
        #expect(try await other.tryLock(key) == nil)
        refresh.end()
    }

    @Test func aLockIsRenewedAndThatOfAKilledProcessEnds() async throws {
        let server = try await RedisServer(), other = store(server.client())
        // As a process that is killed: the lock exists, and nobody renews it.
        let killed = TokenLease(server.client(), name: "tarmac:{token:\(key.text)}", duration: .milliseconds(200))
        #expect(try await killed.acquire() == .free)
        var lock: TokenLock?
        try await eventually(trying: {
            lock = try await other.tryLock(key)
            return lock != nil
        })
        // The refresh token may have been spent.
        #expect(lock?.isContested == true)
        lock?.end()
        let renewed = TokenLease(server.client(), name: "renewed", duration: .seconds(3))
        #expect(try await renewed.acquire() == .free)
        let renewal = renewed.renewal(), before = try await end(of: "renewed:lock", server)
        try await eventually(trying: { try await end(of: "renewed:lock", server) > before + 100 })
        try await renewed.release()
        // A lock that is lost is not renewed.
        await renewal.value
    }

    /// The time at which a key ends, in milliseconds of the server's clock.
    private func end(of name: String, _ server: RedisServer) async throws -> Int64 {
        try await server.client().run("PEXPIRETIME", name).integer ?? 0
    }

    // MARK: Away

    /// Issues tokens, and refuses all but the last.
    private struct API: Sendable {
        var issued = 0
        var isRefusing = false
    }

    private func client(_ store: any TokenStore, _ api: Locked<API>) -> Client {
        let stub = StubTransport { request in
            let isToken = request.url.path == "/token"
            let (number, isRefused) = api.withLock { api in
                if isToken { (api.issued, api.isRefusing) = (api.issued + 1, false) }
                return (api.issued, api.isRefusing)
            }
            if !isToken { return .status(isRefused ? .unauthorized : .ok) }
            return .json(#"{"access_token": "t\#(number)", "token_type": "Bearer", "expires_in": 3600}"#)
        }
        return Client(transport: .stub(stub), services: [Service("shop", host: "https://api.shop.example")]) {
            $0.authenticator = .clientCredentials(tokenURL: "/token", client: OAuthClient(id: "fleet", secret: "secret"), store: store)
        }
    }

    @Test func withoutTheServerEachProcessRefreshesAlone() async throws {
        let server = try await RedisServer(), api = Locked(API())
        let first = client(store(server.client()), api)
        try await first.get("/a")
        try await server.crash()
        try await first.get("/b")
        #expect(api.withLock { $0.issued } == 1)
        api.withLock { $0.isRefusing = true }
        try await first.get("/c")
        #expect(api.withLock { $0.issued } == 2)
        // A process that has not read the store asks for a token of its own.
        let second = client(store(server.client()), api)
        try await second.get("/d")
        #expect(api.withLock { $0.issued } == 3)
        // The token of the first is written when the server is back.
        try await server.start()
        try await eventually(trying: {
            try await first.get("/e")
            // The app's own token has an entry of its own.
            let entry = try await server.client().run("KEYS", "tarmac:{token:*}").array?.first?.bytes ?? .empty
            return try await server.client().run([Bytes("GET"), entry]).bytes.map { String(decoding: $0, as: UTF8.self).contains("t2") } ?? false
        })
        #expect(api.withLock { $0.issued } == 3)
        await first.shutdown()
        await second.shutdown()
    }
}
#endif
