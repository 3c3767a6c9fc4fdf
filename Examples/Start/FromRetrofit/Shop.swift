// An app in ten minutes in the names of Documentation/MovingFrom/Retrofit.md, with the snippets of that page.
import Foundation
import Tarmac
import TarmacURLSession

extension Service {
    static let shop = Service("shop", host: "https://api.shop.example")
}

struct Order: Decodable, Sendable { var id: Int, state: String }

struct GetOrder: Endpoint, Encodable {  // @GET("orders/{id}") suspend fun order(@Path("id") id: Int): Order
    typealias Value = Order
    static let route: Route = .get("/orders/{id}")
    var id: Int
    func configure(_ options: inout Options) { options.cache = .http }
}

struct Session: Decodable, Sendable {
    var token: String, refreshToken: String?, lifetime: Double?  // lifetime in seconds

    func accessToken(after old: AccessToken? = nil) -> AccessToken {
        AccessToken(token, refreshToken: refreshToken ?? old?.refreshToken, expiry: lifetime.map { Date(timeIntervalSinceNow: $0) })
    }
}

struct LogIn: Endpoint, Encodable {
    typealias Value = Session
    static let route: Route = .post("/login")
    var name: String
    @Secret var password: String  // hidden in logs and errors
    func configure(_ options: inout Options) { options.authenticator = .off }  // there is no token yet
}

struct Refresh: Endpoint, Encodable {
    typealias Value = Session
    static let route: Route = .post("/token")
    @Secret var refreshToken: String
}

struct ShopTokens: Authenticator {
    var showLogin: @Sendable @MainActor () -> Void

    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        try await context.client.send(Refresh(refreshToken: token?.refreshToken ?? "")).accessToken(after: token)
    }

    func didLogOut(_ key: TokenKey, _ reason: LogOutReason) {
        if reason != .requested { Task { @MainActor in showLogin() } }
    }
}

func shopClient(
    _ transport: TransportFactory = .urlSession, tokens: (any TokenStore)? = nil,
    showLogin: @escaping @Sendable @MainActor () -> Void = {}
) -> Client {
    Client(transport: transport, services: [.shop]) {
        $0.timeout = .seconds(15)  // of one attempt
        $0.authenticator = Authentication(ShopTokens(showLogin: showLogin), store: tokens)
    }
}

// In place of main.swift.
func run() async throws -> Order {
    let client = shopClient()
    try await client.logIn(client.send(LogIn(name: "ann", password: "runway")).accessToken())
    let order = try await client.send(GetOrder(id: 7))
    return order
}

func isLoggedIn(_ tokens: any TokenStore) async throws -> Bool {
    let isLoggedIn = try await tokens.token(for: TokenKey(service: "shop", environment: "production")) != nil
    return isLoggedIn
}

func durableClient() -> Client {
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0].path
    let files = try? FileCacheStore(folder: "\(caches)/shop")
    return Client(transport: .urlSession, services: [.shop]) {
        if let files { $0.cacheStore = .store(files) }
    }
}

func reloaded(_ client: Client) async throws -> Order {
    let fresh = try await client.send(GetOrder(id: 7)) { $0.cache = .reload }
    return fresh
}

struct AddOrder: Endpoint, Encodable {  // @POST("orders") suspend fun add(@Body order: NewOrder): Order
    typealias Value = Order
    static let route: Route = .post("/orders")
    var product: String
    func configure(_ options: inout Options) { options.idempotencyKey = .automatic }
}

func added(_ client: Client) async throws -> Order {
    let added = try await client.send(AddOrder(product: "cup"))
    return added
}

func enveloped(_ transport: TransportFactory) -> Client {
    let shop = Service("shop", host: "https://api.shop.example") {
        $0.headers["X-App"] = "3.2"
        $0.envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data")
    }
    return Client(transport: transport, services: [shop])
}

struct RequestID: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        var request = request
        request.headers[.init("X-Request-ID")!] = UUID().uuidString
        return try await chain.proceed(request)
    }
}
