import HTTPTypes
import TarmacCookies
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// An authenticator that logs in by itself does so for another user when the device has one.
@Suite("Logins without a log-in")
struct SilentLoginTests {
    private struct Device: Authenticator {
        func canRefresh(_ token: AccessToken?) -> Bool { true }
        func refresh(_ token: AccessToken?, in context: RefreshContext) -> AccessToken { AccessToken("of-the-device") }
    }

    /// A store of the app's own, which another process may use.
    private struct Shared: TokenStore {
        let memory = MemoryTokenStore()
        func token(for key: TokenKey) -> AccessToken? { memory.token(for: key) }
        func save(_ token: AccessToken, for key: TokenKey) { memory.save(token, for: key) }
        func removeToken(for key: TokenKey) { memory.removeToken(for: key) }
    }

    private let isExpired = Watched(false)

    private func client(_ store: (any TokenStore)?) -> Client {
        Client(
            transport: .stub { [isExpired] _ in
                defer { isExpired.update { $0 = false } }
                return .status(isExpired.value ? .unauthorized : .ok)
            }, services: [TokenServer.service]
        ) { $0.authenticator = Authentication(Device(), store: store) }
    }

    private func scope(_ client: Client) async throws -> CookieScope {
        try await client.get("/")
        return try await client.cookieScope(for: .get("/", as: Void.self))
    }

    static let stores: [@Sendable () -> (any TokenStore)?] = [{ nil }, { MemoryTokenStore() }, { Shared() }]

    @Test(arguments: 0..<stores.count) func aLogOutEndsTheAccountAndARefreshDoesNot(store: Int) async throws {
        let client = client(Self.stores[store]())
        let first = try await scope(client)
        isExpired.update { $0 = true }
        #expect(try await scope(client) == first)
        try await client.logOut()
        let second = try await scope(client)
        #expect(second != first)
        isExpired.update { $0 = true }
        #expect(try await scope(client) == second)
    }

    /// The token is of the app, and the cookie of the user.
    @Test func anAnswerForACookieIsNotOfTheNextUser() async throws {
        let client = Client(
            transport: .stub { request in
                if request.url.path.hasPrefix("/login/") { return .status(.ok, headers: [.setCookie: "sid=\(request.url.path.dropFirst(7)); Path=/"]) }
                return .text(request.headers[.cookie] ?? "none", headers: [.cacheControl: "private, max-age=60"])
            }, services: [TokenServer.service]
        ) { ($0.authenticator, $0.cookies, $0.cache) = (Authentication(Device()), .jar(), .http) }
        for user in ["ann", "bob", "ann"] {
            try await client.get("/login/\(user)")
            #expect(try await client.get("/balance", as: String.self).contains(user))
        }
    }

    @Test func theAccountLastsAsLongAsTheStore() async throws {
        let store = Shared(), first = client(store)
        let scope = try await scope(first)
        await first.shutdown()
        #expect(try await self.scope(client(store)) == scope)
        #expect(scope.durableText != nil)
    }
}
