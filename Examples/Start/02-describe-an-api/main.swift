// Describes a service and its endpoints.
import Shop
import Tarmac
import TarmacURLSession

struct User: Decodable, Sendable { var id: Int, name: String }
struct Product: Decodable, Sendable { var title: String }
struct Session: Decodable, Sendable { var token: String, refreshToken: String }

// page: service
extension Service {
    static let shop = Service(
        "shop",
        hosts: [
            .production: "https://api.shop.example",
            .test: "https://test.shop.example",
            .local: Hosts(ShopServer.url),
        ]
    ) {
        $0.headers["X-App-Version"] = "3.2.0"
    }
}
// page end

// page: endpoints
struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let service = Service.shop
    static let route: Route = .get("/users/{id}")
    var id: Int
}

struct Search: Endpoint, Encodable {
    typealias Value = [Product]
    static let service = Service.shop
    static let route: Route = .get("/search")
    var text: String
    var page = 1
    @Header("Accept-Language") var language = "en"
}

struct LogIn: Endpoint, Encodable {
    typealias Value = Session
    static let service = Service.shop
    static let route: Route = .post("/login")
    var name: String
    @Secret var password: String
    func configure(_ options: inout Options) { options.authenticator = .off }
}
// page end

// page: calls
let client = Client(transport: .urlSession, services: [.shop], environment: .local)

let user = try await client.send(GetUser(id: 7))
let products = try await client.send(Search(text: "cup", language: "de"))
let session = try await client.send(LogIn(name: "ann", password: "runway"))
print(user.name, products.map(\.title), session.token.isEmpty ? "no token" : "a token")
// page end

// page: requests
client.environment = .production
print(try client.request(for: GetUser(id: 7)).url.string)
print(try client.request(for: Search(text: "cup & saucer")).url.string)
// page end

// page: json
client.environment = .local
let title = try await client[.shop].get("/search", ["text": "cup"], as: JSON.self)[0]["title"].string
print(title ?? "nothing")
// page end
