// swift-format-ignore-file: laid out as Documentation/MovingFrom shows it.
// What those pages show besides Examples/Seeds. What stands here compiles and flies.
import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacTesting
import TarmacURLSession
import Testing

struct Order: Codable, Sendable {
    var id: Int
    var state: String
}

// MARK: Beside an old layer

/// The old signature over the new layer, for call sites that have not moved yet.
@MainActor
struct OldSignature {
    let client: Client

    @discardableResult
    func getCall(
        _ path: String, parameters: ParameterList, cancelDependence owner: some AnyOwner,
        completion: @escaping @MainActor (Bool, JSON?, (any Error)?) -> Void
    ) -> CallHandle {
        client.start(.get(path, parameters, as: JSON.self), owner: owner) { _, result in
            switch result {
            case .success(let json): completion(true, json, nil)
            case .failure(let error): completion(false, nil, error)
            }
        }
    }
}

/// The old layer keeps and renews the token; the new one reads it for every call. Among `interceptors`, above the cache and
/// calls that are shared, which must know whose call it is.
struct OldToken: Interceptor {
    let read: @Sendable () -> String?
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        var request = request
        if let token = read() { request.headers[.authorization] = "Bearer \(token)" }
        return try await chain.proceed(request)
    }
}

// MARK: Alamofire and Moya

extension Service {
    static let store = Service("store", host: "https://api.store.example") {
        $0.headers["X-App"] = "3.2"
        $0.envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data")
    }
}

struct GetOrder: Endpoint, Encodable {
    typealias Value = Order
    static let service = Service.store
    static let route: Route = .get("/orders/{id}")
    var id: Int
}

struct AddOrder: Endpoint, Encodable {
    typealias Value = Order
    static let service = Service.store
    static let route: Route = .post("/orders")
    var product: String
    func configure(_ options: inout Options) { options.idempotencyKey = .automatic }
}

struct StoreSession: Decodable, Sendable {
    var token: String
    var refreshToken: String?
    var lifetime: Double?
    var userID: String

    func accessToken(after old: AccessToken? = nil) -> AccessToken {
        let expiry = lifetime.map { Date(timeIntervalSinceNow: $0) }
        return AccessToken(token, refreshToken: refreshToken ?? old?.refreshToken, expiry: expiry, account: userID)
    }
}

struct LogIn: Endpoint, Encodable {
    typealias Value = StoreSession
    static let service = Service.store
    static let route: Route = .post("/login")
    var name: String
    @Secret var password: String
    func configure(_ options: inout Options) { options.authenticator = .off }
}

struct Refresh: Endpoint, Encodable {
    typealias Value = StoreSession
    static let service = Service.store
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

func logIn(_ client: Client) async throws {
    let session = try await client.send(LogIn(name: "ann", password: "runway"))
    try await client.logIn(session.accessToken())
}

/// Sends the bytes that Alamofire and Moya send by default.
func sameBytes(_ transport: TransportFactory) -> Client {
    let client = Client(transport: transport, services: [.store]) {
        $0.bodyFormat = .form
        $0.query = QueryEncoder(
            arrays: .brackets, numericBooleans: true, dates: .custom { .double($0.timeIntervalSinceReferenceDate) }, sortsNames: true)
        $0.headers["Accept-Language"] = "en"  // the languages of the user
    }
    return client
}

func storeClient(
    _ transport: TransportFactory = .urlSession, tokens: (any TokenStore)? = nil, files: FileCacheStore? = nil,
    showLogin: @escaping @Sendable @MainActor () -> Void = {}
) -> Client {
    Client(transport: transport, services: [.store]) {
        $0.timeout = .seconds(15)
        $0.retry = .exponential(maxAttempts: 3)
        $0.authenticator = Authentication(StoreTokens(showLogin: showLogin), store: tokens)
        $0.coalesces = true
        $0.observers = [ConsoleLogger(.landings)]
        $0.cache = .http
        if let files { $0.cacheStore = .store(files) }
    }
}

func reloaded(_ client: Client) async throws -> Order {
    let landed = try await client.landed(for: GetOrder(id: 7))
    let fresh = try await client.send(GetOrder(id: 7)) { $0.cache = .reload }
    print(landed.source, landed.value, fresh)
    return fresh
}

struct RequestID: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        var request = request
        request.headers[.init("X-Request-ID")!] = UUID().uuidString
        return try await chain.proceed(request)
    }
}

/// A refresh whose envelope states a code of its own for a login that has ended.
struct CodedTokens: Authenticator {
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        try await context.client.send(Refresh(refreshToken: token?.refreshToken ?? "")).accessToken(after: token)
    }

    func consequence(of error: any Error) -> RefreshConsequence {
        (error as? TarmacError)?.serverCode == "40102" ? .logOut : .standard(for: error)
    }
}

/// A service with names in snake case, and with a code in its envelope.
func codedService() -> Service {
    let shop = Service("shop", host: "https://api.shop.example") {
        var decoder = TarmacJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        $0.decoder = .json(decoder)
        $0.envelope = Envelope(success: { $0["code"] == 0 }, code: "code", message: "message", payload: "data")
    }
    return shop
}

struct CodedOrder: Decodable, Sendable {
    var orderState: String
    var orderedAt: Date
}

/// The parameters that a Retrofit interface would annotate.
struct ListOrders: Endpoint, Encodable {
    typealias Value = [Order]
    static let service = Service.store
    static let route: Route = .get("/orders")
    @Query("page_size") var pageSize = 20
}

struct FindOrder: Endpoint, Encodable {
    typealias Value = Order
    static let service = Service.store
    static let route: Route = .get("/orders/{id}")
    @Path("id") var number: Int
    init(number: Int) { self.number = number }
}

struct ShowOrder: Endpoint, Encodable {
    typealias Value = Order
    static let service = Service.store
    static let route: Route = .get("/orders/{number}")
    var number: Int
}

struct DeleteOrder: Endpoint, Encodable {
    typealias Value = Void
    static let service = Service.store
    static let route: Route = .delete("/orders/{id}")
    var id: Int
}

struct ReplaceOrder: Endpoint, Encodable {
    typealias Value = Void
    static let service = Service.store
    static let route: Route = .put("/orders/{id}")
    var id: Int
    @WholeBody var order: Order
}

/// A conversion of its own in place of a `Converter`.
struct OrderLine: Endpoint, Encodable {
    typealias Value = Order
    static let service = Service.store
    static let route: Route = .get("/orders/{id}/line")
    var id: Int
    func configure(_ options: inout Options) { options.envelope = .off }
    var landing: Landing<Order> { Landing(accepting: .any) { payload in Order(id: payload.bytes.count, state: "line") } }
}

func moved(_ client: Client, path: String) async throws -> [Order] {
    let order = try await client.send(GetOrder(id: 7))
    let added = try await client.send(AddOrder(product: "cup"))
    let inline = try await client.get("/orders/{id}", ["id": 7], as: Order.self)
    let text = try await client.get("/orders/7", as: String.self) { $0.timeout = .seconds(3) }
    let landed = try await client.landed(for: GetOrder(id: 7))
    print(landed.status, landed.headers, text)
    try await client.send(Download(.get("/orders/{id}/bill", ["id": 7]), to: path), progress: { print($0.fraction ?? 0) })
    let request = try client.request(for: GetOrder(id: 7))
    print(CurlPrinter(redactor: .standard).command(for: request))
    return [order, added, inline]
}

func failed(_ client: Client) async -> String {
    do {
        _ = try await client.send(GetOrder(id: 7))
        return "landed"
    } catch let error as TarmacError {
        switch error.code {
        case .unacceptableStatus: return "\(error.status?.code ?? 0)"
        case .envelopeFailure: return error.userMessage
        default: return "\(error.code) at \(error.path ?? "")"
        }
    } catch { return "cancelled" }
}

@MainActor
final class OrderScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    private(set) var shown: [String] = []

    func load(_ client: Client) {
        client.start(GetOrder(id: 7), owner: self) { screen, result in screen.show(result) }
    }

    private func show(_ result: Result<Order, any Error>) { shown.append((try? result.get().state) ?? "failure") }
}

@Suite("Moving from another layer", .timeLimit(.minutes(5)))
struct MovingTests {
    private let stub = StubTransport { _ in .json(#"{"status":1,"data":{"id":7,"state":"paid"}}"#) }

    @Test func whatThePagesShowFlies() async throws {
        let folder = try TemporaryFolder()
        let client = storeClient(.stub(stub))
        try await client[.store].logIn(AccessToken("t"))
        #expect(try await moved(client, path: folder.path("bill")).map(\.state) == ["paid", "paid", "paid"])
        #expect(stub.requests.first?[field: "Authorization"] == "Bearer t")
    }

    @Test func aLoginNeedsNoToken() async throws {
        let stub = StubTransport(routes: [
            .post("/login") { _ in .json(#"{"status":1,"data":{"token":"t","refreshToken":"r","lifetime":3600,"userID":"ann"}}"#) },
            .get("/orders/7") { _ in .json(#"{"status":1,"data":{"id":7,"state":"open"}}"#) },
        ])
        let client = storeClient(.stub(stub))
        try await logIn(client)
        _ = try await client.send(GetOrder(id: 7))
        #expect(stub.requests.map { $0[field: "Authorization"] } == [nil, "Bearer t"])
    }

    @Test func aRefusedTokenIsRefreshedOnce() async throws {
        let stub = StubTransport(routes: [
            .get("/orders/7") { request in
                guard request.headers[.authorization] == "Bearer new" else { return .status(.unauthorized) }
                return .json(#"{"status":1,"data":{"id":7,"state":"open"}}"#, headers: [.cacheControl: "max-age=60"])
            },
            .post("/token") { _ in
                .json(#"{"status":1,"data":{"token":"new","refreshToken":"r2","lifetime":3600,"userID":"ann"}}"#)
            },
        ])
        let client = storeClient(.stub(stub))
        try await client.logIn(AccessToken("old", refreshToken: "r1", account: "ann"))
        #expect(try await client.send(GetOrder(id: 7)).state == "open")
        #expect(stub.requests.map(\.url.path) == ["/orders/7", "/token", "/orders/7"])
        #expect(try await client.landed(for: GetOrder(id: 7)).source == .cache)
        #expect(stub.requests.count == 3)
    }

    @Test func aCodeOfTheEnvelopeMayEndTheLogin() async throws {
        let stub = StubTransport(routes: [
            .get("/orders/7") { _ in .status(.unauthorized) },
            .post("/token") { _ in .json(#"{"status":0,"code":40102,"message":"log in again"}"#) },
        ])
        let client = Client(transport: .stub(stub), services: [.store]) { $0.authenticator = Authentication(CodedTokens()) }
        try await client.logIn(AccessToken("old", refreshToken: "r1"))
        for _ in 1...2 {
            let error = await #expect(throws: TarmacError.self) { try await client.send(GetOrder(id: 7)) }
            #expect(error?.code == .loggedOut)
        }
        #expect(stub.requests.map(\.url.path) == ["/orders/7", "/token"])
    }

    @Test func anEnvelopeOfACodeIsReadWithTheNamesOfTheServer() async throws {
        let stub = StubTransport(routes: [
            .get("/open") { _ in .json(#"{"code":0,"data":{"order_state":"open","ordered_at":"1970-01-01T00:01:00Z"}}"#) },
            .get("/sold") { _ in .json(#"{"code":7,"message":"sold out","data":null}"#) },
            .get("/empty") { _ in .json(#"{"code":0,"data":null}"#) },
        ])
        let client = Client(transport: .stub(stub), services: [codedService()])
        let order = try await client.get("/open", as: CodedOrder.self)
        #expect(order.orderState == "open")
        #expect(order.orderedAt == Date(timeIntervalSince1970: 60))
        let error = await #expect(throws: TarmacError.self) { try await client.get("/sold", as: CodedOrder.self) }
        #expect(error?.code == .envelopeFailure)
        #expect(error?.serverCode == "7")
        #expect(error?.serverMessage == "sold out")
        try await client.get("/empty")
    }

    @Test func aStoredResponseAnswersTheSecondCall() async throws {
        let folder = try TemporaryFolder()
        let stub = StubTransport { _ in
            .json(#"{"status":1,"data":{"id":7,"state":"paid"}}"#, headers: [.cacheControl: "max-age=60"])
        }
        let client = storeClient(.stub(stub), files: try FileCacheStore(folder: folder.path("answers")))
        try await client.logIn(AccessToken("t"))
        _ = try await client.send(GetOrder(id: 7))
        try await client.cache.flush()
        #expect(try await client.landed(for: GetOrder(id: 7)).source == .cache)
        _ = try await reloaded(client)
        #expect(stub.requests.count == 2)
    }

    @Test func aNameOfTheServerMayDiffer() throws {
        let request = try Client(transport: .stub(stub), services: [.store]).request(for: ListOrders())
        #expect(request.url.string == "https://api.store.example/orders?page_size=20")
    }

    @Test func aPathVariableMayHaveAnotherNameAndACallParametersOfItsOwn() throws {
        let client = Client(transport: .stub(stub), services: [.store])
        let request = try client.request(for: FindOrder(number: 7)) { $0.parameters = ["state": "open", "page": 2] }
        #expect(request.url.string == "https://api.store.example/orders/7?state=open&page=2")
        #expect(try client.request(for: ShowOrder(number: 7)).url.path == "/orders/7")
    }

    @Test func aMethodIsPartOfTheRoute() throws {
        let client = Client(transport: .stub(stub), services: [.store])
        #expect(try client.request(for: DeleteOrder(id: 7)).method == .delete)
        let request = try client.request(for: ReplaceOrder(id: 7, order: Order(id: 7, state: "open")))
        #expect(request.method == .put)
        #expect(String(decoding: request.body.buffered ?? .empty, as: UTF8.self) == #"{"id":7,"state":"open"}"#)
    }

    @Test func aLandingReplacesAConverter() async throws {
        let stub = StubTransport { _ in .text("1234567") }
        let client = Client(transport: .stub(stub), services: [.store])
        #expect(try await client.send(OrderLine(id: 7)).id == 7)
    }

    @Test func routesOfAStubHaveThePathOfTheHost() async throws {
        let stub = StubTransport(routes: [.get("/v1/orders/7") { _ in .json(#"{"id":7,"state":"open"}"#) }])
        let client = Client(transport: .stub(stub), services: [Service("v1", host: "https://api.store.example/v1")])
        #expect(try await client.get("/orders/7", as: Order.self).state == "open")
    }

    @Test func aCacheOnlyCallOfNothingIsNotCached() async throws {
        let client = storeClient(.stub(stub))
        try await client.logIn(AccessToken("t"))
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetOrder(id: 7)) { $0.cache = .onlyCached } }
        #expect(error?.code == .notCached)
        #expect(stub.requests.isEmpty)
    }

    @Test func theBytesAreThoseOfAlamofire() async throws {
        let client = sameBytes(.stub(stub))
        let parameters: ParameterList = ["tag": ["a", "b"], "open": true, "since": Date(timeIntervalSinceReferenceDate: 0.5)]
        try await client.get("/orders", parameters)
        try await client.post("/orders", parameters)
        let text = "open=1&since=0.5&tag%5B%5D=a&tag%5B%5D=b"
        #expect(stub.requests.map(\.url.query) == [text, nil])
        #expect(stub.requests.map { String(decoding: $0.body.buffered ?? .empty, as: UTF8.self) } == ["", text])
        #expect(stub.requests.map { $0[field: "Accept-Language"] } == ["en", "en"])
    }

    @Test func aFailureSaysWhatItIs() async throws {
        let stub = StubTransport { _ in .json(#"{"status":0,"message":"sold out"}"#) }
        #expect(await failed(Client(transport: .stub(stub), services: [.store])) == "sold out")
    }

    @Test func aTestNeedsNoServer() async throws {
        let stub = StubTransport(routes: [.get("/orders/7") { _ in .json(#"{"status":1,"data":{"id":7,"state":"open"}}"#) }])
        let client = Client(transport: .stub(stub), services: [.store])
        #expect(try await client.send(GetOrder(id: 7)).state == "open")
    }

    @Test @MainActor func theOldSignatureAndTheOldTokenServeMeanwhile() async throws {
        let client = Client(transport: .stub(stub), services: [.store]) { $0.interceptors = [OldToken { "old" }] }
        let screen = OrderScreen()
        let success = await withCheckedContinuation { continuation in
            OldSignature(client: client).getCall("/orders/7", parameters: [:], cancelDependence: screen) { success, _, _ in
                continuation.resume(returning: success)
            }
        }
        #expect(success)
        #expect(stub.requests.first?[field: "Authorization"] == "Bearer old")
        screen.load(client)
        await eventually { !screen.shown.isEmpty }
        #expect(screen.shown == ["paid"])
    }

    @Test func withoutAnOldTokenNoneIsSent() async throws {
        let client = Client(transport: .stub(stub), services: [.store]) { $0.interceptors = [OldToken { nil }] }
        _ = try await client.send(GetOrder(id: 7))
        #expect(stub.requests.map { $0[field: "Authorization"] } == [nil])
    }

    @Test func whatTheOldTokenGotIsKeptForItAlone() async throws {
        let token = Locked("old")
        let client = Client(transport: .stub(stub), services: [.store]) {
            $0.interceptors = [OldToken { token.withLock { $0 } }]
            $0.cache = .ttl(.seconds(180))
        }
        _ = try await client.send(GetOrder(id: 7))
        #expect(try await client.landed(for: GetOrder(id: 7)).source == .cache)
        token.withLock { $0 = "other" }
        #expect(try await client.landed(for: GetOrder(id: 7)).source == .network)
        #expect(stub.requests.map { $0[field: "Authorization"] } == ["Bearer old", "Bearer other"])
    }
}
