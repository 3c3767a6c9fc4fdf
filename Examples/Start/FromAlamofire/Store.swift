// An app in ten minutes in the names of Documentation/MovingFrom/Alamofire.md, with the snippets of that page.
import Foundation
import Tarmac
import TarmacURLSession

extension Service {
    static let store = Service("store", host: "https://api.store.example")
}

struct Order: Decodable, Sendable { var id: Int, state: String }

struct GetOrder: Endpoint, Encodable {
    typealias Value = Order
    static let route: Route = .get("/orders/{id}")
    var id: Int
    func configure(_ options: inout Options) { options.cache = .http }
}

struct StoreSession: Decodable, Sendable {
    var token: String, refreshToken: String?, lifetime: Double?  // lifetime in seconds

    func accessToken(after old: AccessToken? = nil) -> AccessToken {
        AccessToken(token, refreshToken: refreshToken ?? old?.refreshToken, expiry: lifetime.map { Date(timeIntervalSinceNow: $0) })
    }
}

struct LogIn: Endpoint, Encodable {
    typealias Value = StoreSession
    static let route: Route = .post("/login")
    var name: String
    @Secret var password: String  // hidden in logs and errors
    func configure(_ options: inout Options) { options.authenticator = .off }  // there is no token yet
}

struct Refresh: Endpoint, Encodable {
    typealias Value = StoreSession
    static let route: Route = .post("/token")
    @Secret var refreshToken: String
}

struct StoreTokens: Authenticator {
    var showLogin: @Sendable @MainActor () -> Void

    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        try await context.client.send(Refresh(refreshToken: token?.refreshToken ?? "")).accessToken(after: token)
    }

    func didLogOut(_ key: TokenKey, _ reason: LogOutReason) {
        if reason != .requested { Task { @MainActor in showLogin() } }
    }
}

func storeClient(
    _ transport: TransportFactory = .urlSession, tokens: (any TokenStore)? = nil,
    showLogin: @escaping @Sendable @MainActor () -> Void = {}
) -> Client {
    Client(transport: transport, services: [.store]) {
        $0.timeout = .seconds(15)  // of one attempt
        $0.authenticator = Authentication(StoreTokens(showLogin: showLogin), store: tokens)
    }
}

func appClient() -> Client {
    let client = storeClient()
    return client
}

@MainActor
final class OrderScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    private let client = appClient()
    private(set) var text = ""

    func load() {
        client.start(GetOrder(id: 7), owner: self) { screen, result in screen.show(result) }
    }

    private func show(_ result: Result<Order, any Error>) { text = (try? result.get().state) ?? "no order" }
}

func orders(_ client: Client) async throws -> [Order] {
    let order = try await client.send(GetOrder(id: 7))
    let inline = try await client.get("/orders/{id}", ["id": 7], as: Order.self)
    return [order, inline]
}

func logIn(_ client: Client) async throws {
    try await client.logIn(client.send(LogIn(name: "ann", password: "runway")).accessToken())
}

func isLoggedIn(_ tokens: any TokenStore) async throws -> Bool {
    let isLoggedIn = try await tokens.token(for: TokenKey(service: "store", environment: "production")) != nil
    return isLoggedIn
}

func text(for id: Int, _ client: Client) async -> String {
    do {
        return try await client.send(GetOrder(id: id)).state
    } catch let error as TarmacError {
        switch error.code {
        case .unacceptableStatus: return "status \(error.status?.code ?? 0)"
        case .envelopeFailure: return error.userMessage
        default: return "\(error.code) at \(error.path ?? "")"
        }
    } catch { return "cancelled" }
}

func enveloped(_ transport: TransportFactory) -> Client {
    let service = Service("store", host: "https://api.store.example") {
        $0.headers["X-App"] = "3.2"
        $0.envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data")
    }
    return Client(transport: transport, services: [service])
}

func durableClient() -> Client {
    let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0].path
    let files = try? FileCacheStore(folder: "\(caches)/store")
    return Client(transport: .urlSession, services: [.store]) {
        if let files { $0.cacheStore = .store(files) }
    }
}

func reloaded(_ client: Client) async throws -> Order {
    let order = try await client.send(GetOrder(id: 7)) { $0.cache = .reload }
    return order
}

func sameBytes(_ transport: TransportFactory) -> Client {
    let client = Client(transport: transport, services: [.store]) {
        $0.bodyFormat = .form
        $0.query = QueryEncoder(
            arrays: .brackets, numericBooleans: true, dates: .custom { .double($0.timeIntervalSinceReferenceDate) }, sortsNames: true)
        $0.headers["Accept-Language"] = "en"  // the languages of the user
    }
    return client
}

/// Stands for the old layer.
public protocol OldLayer: Sendable {
    var token: String? { get }
}

struct OldToken: Interceptor {
    let read: @Sendable () -> String?
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        var request = request
        if let token = read() { request.headers[.authorization] = "Bearer \(token)" }
        return try await chain.proceed(request)
    }
}

func client(beside oldLayer: any OldLayer) -> Client {
    let client = Client(transport: .urlSession, services: [.store]) { $0.interceptors = [OldToken { oldLayer.token }] }
    return client
}
