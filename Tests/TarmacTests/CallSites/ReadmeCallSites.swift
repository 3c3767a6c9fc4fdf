// swift-format-ignore-file
// Laid out as the READMEs show it.
// swift-format-ignore-file: laid out as the READMEs show it.
// The call sites README shows. What stands here compiles; what is behaviour is tested beside it.
import Tarmac
import TarmacJSON
import TarmacStreams
import TarmacTesting
import Testing

struct User: Codable, Sendable { var id: Int; var name: String }
struct Repo: Codable, Sendable { var name: String }
struct Session: Codable, Sendable { var token: String; var refreshToken: String }
struct Product: Codable, Sendable { var title: String }
struct Order: Codable, Sendable { var id: Int; var state: String; var note: String? }
struct Place: Codable, Sendable { var latitude: Double; var longitude: Double }

extension Service {
    static let shop = Service("shop", hosts: [
        .production: Hosts("https://api.shop.example", cdn: "https://cdn.shop.example"),
        .test: "https://test.shop.example", .local: "http://127.0.0.1:8080",
    ]) {
        $0.timeout = .seconds(15)
        $0.headers["X-App-Version"] = "3.2.0"
        $0.envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data",
                               expired: [40101], retryable: [50003])
    }
}

actor ProductStore {
    static let shared = ProductStore()
    private(set) var products: [Product] = []
    func save(_ products: [Product]) { self.products = products }
}

// Discrete (离散型): a value per API. Fields named in the template fill it, the others become query or JSON body.
struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let service = Service.shop
    static let route: Route = .get("/users/{id}{?fields*}")
    var id: Int
    var fields: [String] = []
    func configure(_ options: inout Options) { options.idleTimeout = .seconds(5) }
}

// The login itself carries no token; secrets are marked.
struct LogIn: Endpoint, Encodable {
    typealias Value = Session
    static let service = Service.shop
    static let route: Route = .post("/login")
    var name: String
    @Secret var password: String
    func configure(_ options: inout Options) { options.authenticator = .off }
}

struct ListProducts: Endpoint, Encodable {
    typealias Value = [Product]
    static let service = Service.shop
    static let route: Route = .get("/products")
    var page: Int
    func didLand(_ landed: Landed<[Product]>) async throws { await ProductStore.shared.save(landed.value) }  // for every caller
}

struct ListOrders: Endpoint, Encodable {
    typealias Value = [Order]
    static let service = Service.shop
    static let route: Route = .get("/orders")
    func configure(_ options: inout Options) {
        options.shape = .array(of: ["id": .integer(in: 1...), "state": .oneOf("open", "paid"), "note": .string.optional])
    }
}

struct Video: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .get("/videos/{id}")
    var id: Int
}

@MainActor
final class ProductVC: LifetimeOwner, CallDelegate {
    nonisolated let lifetime = Lifetime()
    var shown: [String] = []
    let login = CallSlot(.ignoreWhileFlying)
    var products: Call<ListProducts>?
    var landings = 0

    func show(_ result: Result<User, any Error>) { shown.append((try? result.get().name) ?? "failure") }
    func productsLanded(_ result: Result<[Product], any Error>) { shown += (try? result.get().map(\.title)) ?? ["failure"] }
    func callDidLand(_ call: AnyCall) { landings += 1 }

    func viewDidLoad(_ client: Client, here: Place) {
        // Owner-bound: cancelled and silent when the owner is gone; never [weak self].
        client.start(GetUser(id: 7), owner: self) { owner, result in owner.show(result) }
        client.start(.get("/regeo", ["location": here], as: JSON.self), owner: self) { owner, result in
            owner.shown.append("\(result)")
        }
        client.start(ClientWork { try await $0.send(GetUser(id: 8)) }, owner: self) { owner, result in owner.show(result) }
        // Held call objects; method reference or delegate; a slot decides about double taps.
        products = client.call(ListProducts(page: 1), owner: self, landed: ProductVC.productsLanded)
        products?.start()
        client.call(ListProducts(page: 2), delegate: self).start()
        login.start(LogIn(name: "ann", password: "secret"), on: client, owner: self) { owner, _ in owner.landings += 1 }
    }
}

func callSites(_ client: Client, file: String) async throws {
    let user = try await client.send(GetUser(id: 7))
    let fast = try await client.send(GetUser(id: 7)) { $0.timeout = .seconds(3) }  // the call's own layer
    print(user, fast)
    print(client.explain(GetUser(id: 7)))
    // Aggregated (集约型): an inline endpoint.
    let repos = try await client[.shop].get("/users/{id}/repos", ["id": 7, "page": 2], as: [Repo].self)
    let landed = try await client.landed(for: GetUser(id: 7))
    print(repos, landed.status, try landed.json["name"])
    let title = try await client[.shop].get("/products/1", as: JSON.self)["title"].string  // no model at all
    print(title ?? "")
    try await client.send(Download(Video(id: 1), to: file)) { $0.host = .cdn } progress: { print($0.fraction ?? 0) }
    try await client.stream(Video(id: 1)) { response in
        for try await chunk in response.body { print(chunk.count) }
    }
}

func failed(_ client: Client) async {
    do {
        _ = try await client.send(GetUser(id: 7))
    } catch let error as TarmacError {
        switch error.code {
        case .unacceptableStatus: print((try? error.serverError(as: ShopError.self))?.reason ?? error.userMessage)
        case .timeout, .connectionLost: print("try again")
        default: print(error.userMessage)
        }
    } catch {}   // CancellationError, and nothing else
}
