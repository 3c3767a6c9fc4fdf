import Foundation
import Tarmac
import TarmacURLSession

struct LogIn: Endpoint, Encodable {
    typealias Value = Session
    static let service = Service.shop
    static let route: Route = .post("/login")
    var name: String
    @Secret var password: String
    func configure(_ options: inout Options) { options.authenticator = .off }
}

struct Refresh: Endpoint, Encodable {
    typealias Value = Session
    static let service = Service.shop
    static let route: Route = .post("/refresh")
    @Secret var refreshToken: String
}

struct ShopAuthenticator: Authenticator {
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        let session = try await context.client.send(Refresh(refreshToken: token?.refreshToken ?? ""))
        return AccessToken(session.token, refreshToken: session.refreshToken)
    }
}

func shopClient(store: (any TokenStore)?) -> Client {
    Client(transport: .urlSession, services: [.shop]) { $0.authenticator = Authentication(ShopAuthenticator(), store: store) }
}

func logIn(_ client: Client, name: String, password: String) async throws {
    let session = try await client.send(LogIn(name: name, password: password))
    try await client[.shop].logIn(AccessToken(session.token, refreshToken: session.refreshToken, account: name))
}

// page: key
let maps = Service("maps", host: "https://maps.example") { $0.authenticator = .apiKey("key", header: "X-Api-Key") }
let wiki = Service("wiki", host: "https://wiki.example") { $0.authenticator = .basic(user: "ann", password: "runway") }
let both = Client(transport: .urlSession, services: [maps, wiki])
// page end

// page: ended
struct EndingAuthenticator: Authenticator {
    let showLogin: @Sendable @MainActor () -> Void

    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        let session = try await context.client.send(Refresh(refreshToken: token?.refreshToken ?? ""))
        return AccessToken(session.token, refreshToken: session.refreshToken)
    }

    func consequence(of error: any Error) -> RefreshConsequence {
        (error as? TarmacError)?.serverCode == "40102" ? .logOut : .standard(for: error)
    }

    func didLogOut(_ key: TokenKey, _ reason: LogOutReason) {
        guard reason != .requested else { return }
        Task { @MainActor in showLogin() }
    }
}
// page end

// page: onetoken
struct OneToken: Authenticator {
    let showLogin: @Sendable @MainActor () -> Void
    var refreshRule: RefreshRule { RefreshRule { $0.backOff = .zero } }  // logs out at once

    func authorize(_ request: inout Request, with token: AccessToken) throws {
        request.headers[.init("token")!] = token.value
    }

    func canRefresh(_ token: AccessToken?) -> Bool { token != nil }
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw TarmacError(.loggedOut) }
    func consequence(of error: any Error) -> RefreshConsequence { .logOut }

    func didLogOut(_ key: TokenKey, _ reason: LogOutReason) {
        if reason != .requested { Task { @MainActor in showLogin() } }
    }
}
// page end

// page: oauth
func oauthClient(store: (any TokenStore)?) -> Client {
    Client(transport: .urlSession, services: [.shop]) {
        $0.authenticator = .oauth(tokenURL: "/oauth/token", client: OAuthClient(id: "shop-app"), store: store)
    }
}

func finishLogin(_ client: Client, token: String, refreshToken: String, lifetime: Double) async throws {
    let expiry = Date(timeIntervalSinceNow: lifetime)
    try await client[.shop].logIn(AccessToken(token, refreshToken: refreshToken, expiry: expiry))
}
// page end

#if canImport(Security)
// page: extension
func extensionClient() -> Client {
    let store = KeychainTokenStore(accessGroup: "ABCDE12345.com.example.shop")
    return Client(transport: .urlSession, services: [.shop]) {
        $0.authenticator = Authentication(ShopAuthenticator(), store: store)
    }
}
// page end
#endif
