// The types that the snippets of Documentation/Cookbook.md use. They are compiled and not run.
import Tarmac

struct User: Codable, Sendable { var id: Int, name: String }
struct Product: Codable, Sendable { var title: String }
struct Order: Codable, Sendable { var id: Int, state: String }
struct Session: Codable, Sendable { var token: String, refreshToken: String }

extension Service {
    static let shop = Service("shop", host: "https://api.shop.example")
}

struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let route: Route = .get("/users/{id}")
    var id: Int
}

struct Search: Endpoint, Encodable {
    typealias Value = [Product]
    static let route: Route = .get("/search")
    var text: String
}

struct Feed: Endpoint, Encodable {
    typealias Value = [Product]
    static let route: Route = .get("/feed")
}
