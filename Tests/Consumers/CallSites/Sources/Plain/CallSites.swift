// One source, three modules: the folders beside this one link to it. `nonisolated` is what models and services need in
// a module with main-actor default isolation; it changes nothing in the others. Endpoints need nothing: they are Sendable.
// `import Tarmac` alone gives statuses, header fields and JSON, also where only members of imported modules are visible.
public import Tarmac
import TarmacStreams

nonisolated struct User: Codable, Sendable {
    var id: Int
    var name: String
}
nonisolated struct Session: Codable, Sendable { var token: String }
nonisolated struct Product: Codable, Sendable { var title: String }

extension Service {
    nonisolated static let shop = Service("shop", hosts: [.production: "https://api.shop.example", .test: "https://test.shop.example"]) {
        $0.timeout = .seconds(15)
        $0.headers["X-App-Version"] = "3.2.0"
        $0.envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data")
    }
}

struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let service = Service.shop
    static let route: Route = .get("/users/{id}{?fields*}")
    var id: Int
    var fields: [String] = []
    func configure(_ options: inout Options) { options.idleTimeout = .seconds(5) }
}

actor SessionStore {
    static let shared = SessionStore()
    private(set) var session: Session?
    func save(_ session: Session) { self.session = session }
}

struct Login: Endpoint, Encodable {
    typealias Value = Session
    static let service = Service.shop
    static let route: Route = .post("/login")
    var name: String
    @Secret var password: String
    func didLand(_ landed: Landed<Session>) async throws { await SessionStore.shared.save(landed.value) }
}

struct ListProducts: Endpoint, Encodable {
    typealias Value = [Product]
    static let service = Service.shop
    static let route: Route = .get("/products")
    var page: Int
}

@MainActor
final class ProductScreen: LifetimeOwner, CallDelegate {
    nonisolated let lifetime = Lifetime()
    let login = CallSlot(.ignoreWhileFlying)
    var products: Call<ListProducts>?
    var board: [String] = []
    var landings = 0
    private let landed: () -> Void

    init(landed: @escaping () -> Void) { self.landed = landed }

    func show(_ result: Result<User, any Error>) { note((try? result.get().name) ?? "failure") }
    func productsLanded(_ result: Result<[Product], any Error>) { note((try? result.get().first?.title) ?? "failure") }
    func callDidLand(_ call: AnyCall) { note("delegate") }

    func appear(_ client: Client) {
        client.start(GetUser(id: 7), owner: self) { owner, result in owner.show(result) }
        client.start(.get("/regeo", ["location": "104,30"], as: JSON.self), owner: self) { owner, _ in owner.note("place") }
        client.start(ClientWork { try await $0.send(GetUser(id: 8)) }, owner: self) { owner, result in owner.show(result) }
        products = client.call(ListProducts(page: 1), owner: self, landed: ProductScreen.productsLanded)
        products?.start()
        client.call(ListProducts(page: 2), delegate: self).start()
        client.start(Batch(GetUser(id: 7), GetUser(id: 8)), owner: self) { owner, result in owner.note((try? result.get().1.name) ?? "failure") }
        var graph = RequestGraph(limit: 4)
        let me = graph.add(GetUser(id: 7))
        client.start(graph, owner: self, progress: { _, _ in }) { owner, result in
            owner.note((try? result.get()[me].name) ?? "failure")
        }
        client.start(RequestChain(GetUser(id: 7)).then { GetUser(id: $0.id + 1) }, owner: self) { owner, result in owner.show(result) }
        login.start(Login(name: "ann", password: "secret"), on: client, owner: self) { owner, _ in owner.note("login") }
    }

    private func note(_ line: String) {
        board.append(line)
        if board.count == 9 { landed() }
    }
}

/// Batch, chain and graph.
func groups(_ client: Client) async throws -> String {
    let (user, products) = try await client.send(Batch(GetUser(id: 7), ListProducts(page: 1)))
    let fast = try await client.send(Batch(GetUser(id: 7).with { $0.timeout = .seconds(3) }, GetUser(id: 8))) { $0.deadline = .seconds(9) }
    let outcomes = try await client.send(Batch([7, 8].map { GetUser(id: $0) }, limit: 8))
    let last = try await client.send(RequestChain(GetUser(id: 7)).then { GetUser(id: $0.id + 1) })
    let login = try await client.send(
        RequestChain(GetUser(id: 8)).then { user, former in
            GetUser(id: try former[GetUser.self].id - (user.id - 7))
        }.then { user in ClientWork { client in try await client.send(GetUser(id: user.id)).name } })
    var graph = RequestGraph(limit: 4)
    let me = graph.add(GetUser(id: 7)), feed = graph.add(ListProducts(page: 1))
    let other = graph.add(after: me, feed) { me, _ in GetUser(id: me.id + 1) }
    let count = graph.add(after: feed, named: "count") { feed in ClientWork { _ in feed.count } }
    let flown = try await client.send(graph)
    let numbers = "\(user.id) \(products.count) \(fast.1.id) \(outcomes.count) \(last.id)"
    return "\(numbers) \(login) \(try flown[other].name) \(try flown[count])"
}

/// Flies every call site and returns what was shown, sorted.
@MainActor
public func fly(over transport: TransportFactory) async throws -> [String] {
    let client = Client(transport: transport, services: [.shop], environment: .test) { $0.deadline = .seconds(60) }
    let user = try await client.send(GetUser(id: 7))
    let fast = try await client.send(GetUser(id: 7)) { $0.timeout = .seconds(3) }
    let inline = try await client[.shop].get("/users/{id}", ["id": 7], as: User.self)
    let landed = try await client.landed(for: GetUser(id: 7))
    let name = try landed.json["name"].string
    let isAnswered = landed.status == .ok && landed.headers[.contentType] == "application/json"
    let streamed = try await client.stream(GetUser(id: 7)) { response in
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        return count
    }
    var screen: ProductScreen?
    await withCheckedContinuation { continuation in
        screen = ProductScreen { continuation.resume() }
        screen?.appear(client)
    }
    let numbers = "\(user.id) \(fast.id) \(inline.id) \(name ?? "nameless") \(streamed > 0 && isAnswered)"
    return [numbers, try await groups(client)] + (screen?.board.sorted() ?? [])
}
