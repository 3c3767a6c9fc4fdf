// An app in ten minutes: all that its tests use.
// page: client
import Foundation
import Tarmac
import TarmacURLSession

extension Service {
    static let shop = Service("shop", host: "https://api.shop.example")
}

func shopClient(
    _ transport: TransportFactory = .urlSession, store: (any TokenStore)? = nil, files: FileCacheStore? = nil,
    showLogin: @escaping @Sendable @MainActor () -> Void = {}
) -> Client {
    Client(transport: transport, services: [.shop]) {
        $0.timeout = .seconds(15)
        $0.retry = .exponential(maxAttempts: 3)
        $0.authenticator = Authentication(ShopAuthenticator(showLogin: showLogin), store: store)
        if let files { $0.cacheStore = .store(files) }
    }
}
// page end

// page: endpoint
struct User: Decodable, Sendable { var id: Int, name: String }

struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let route: Route = .get("/users/{id}")
    var id: Int
}
// page end

// page: login
struct Session: Decodable, Sendable {
    var token: String, refreshToken: String?, lifetime: Double?

    func accessToken(after old: AccessToken? = nil) -> AccessToken {
        AccessToken(token, refreshToken: refreshToken ?? old?.refreshToken, expiry: lifetime.map { Date(timeIntervalSinceNow: $0) })
    }
}

struct LogIn: Endpoint, Encodable {
    typealias Value = Session
    static let route: Route = .post("/login")
    var name: String
    @Secret var password: String
    func configure(_ options: inout Options) { options.authenticator = .off }
}

struct Refresh: Endpoint, Encodable {
    typealias Value = Session
    static let route: Route = .post("/refresh")
    @Secret var refreshToken: String
}

struct ShopAuthenticator: Authenticator {
    var showLogin: @Sendable @MainActor () -> Void

    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        try await context.client.send(Refresh(refreshToken: token?.refreshToken ?? "")).accessToken(after: token)
    }

    func didLogOut(_ key: TokenKey, _ reason: LogOutReason) {
        if reason != .requested { Task { @MainActor in showLogin() } }
    }
}
// page end

// page: cache
struct Feed: Endpoint {
    typealias Value = [String]
    static let route: Route = .get("/feed")
    func configure(_ options: inout Options) { options.cache = .http }
}

func diskCache() throws -> FileCacheStore {
    try FileCacheStore(folder: FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0].path + "/shop")
}
// page end
