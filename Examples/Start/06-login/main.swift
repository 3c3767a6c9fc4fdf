// Logs in, renews an expired token once for several calls, and logs out.
import Shop
import Tarmac
import TarmacURLSession

struct User: Decodable, Sendable { var id: Int, name: String }
struct Order: Decodable, Sendable { var id: Int, state: String }

// page: authenticator
extension Service {
    static let shop = Service("shop", host: ShopServer.url)
}

struct Session: Decodable, Sendable {
    var token: String
    var refreshToken: String
}

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
    var showLogin: @Sendable @MainActor () -> Void = {}

    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        let session = try await context.client.send(Refresh(refreshToken: token?.refreshToken ?? ""))
        return AccessToken(session.token, refreshToken: session.refreshToken)
    }

    func didLogOut(_ key: TokenKey, _ reason: LogOutReason) {
        guard reason != .requested else { return }
        Task { @MainActor in showLogin() }
    }
}
// page end

// page: client
let tokens: any TokenStore = MemoryTokenStore()
let client = Client(transport: .urlSession, services: [.shop]) {
    $0.authenticator = Authentication(ShopAuthenticator(showLogin: { print("show the login") }), store: tokens)
}

let session = try await client.send(LogIn(name: "ann", password: "runway"))
try await client.logIn(AccessToken(session.token, refreshToken: session.refreshToken))
// page end

// page: calls
async let me = client.get("/me", as: User.self)
async let orders = client.get("/orders", as: [Order].self)
print(try await me.name, try await orders.map(\.state))
print("\(ShopServer.count(of: "/refresh")) refresh")
// page end

// page: launch
let isLoggedIn = try await tokens.token(for: TokenKey(service: "shop", environment: "production")) != nil
print(isLoggedIn ? "show the shop" : "show the login")
// page end

// page: logout
try await client.logOut()
do {
    _ = try await client.get("/me", as: User.self)
} catch let error as TarmacError where error.code == .loggedOut {
    print(error.userMessage(in: .english))
}
// page end
