// Sets the same setting in several layers, and asks which layer decides.
import Shop
import Tarmac
import TarmacURLSession

struct User: Decodable, Sendable { var id: Int, name: String }

// page: layers
extension Service {
    static let shop = Service("shop", host: ShopServer.url) {
        $0.timeout = .seconds(15)
        $0.headers["X-App-Version"] = "3.2.0"
    }
}

struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let service = Service.shop
    static let route: Route = .get("/users/{id}")
    var id: Int
    func configure(_ options: inout Options) { options.timeout = .seconds(5) }
}

let client = Client(transport: .urlSession, services: [.shop]) {
    $0.timeout = .seconds(30)
    $0.retry = .exponential(maxAttempts: 3)
    $0.headers["Accept-Language"] = "en"
}
// page end

// page: call
let user = try await client.send(GetUser(id: 7)) { $0.timeout = .seconds(2) }
print(user.name)
// page end

// page: explain
let explanation = client.explain(GetUser(id: 7)) { $0.timeout = .seconds(2) }
for name in ["timeout", "retry", "deadline"] {
    if let setting = explanation[name] { print(setting) }
}
// page end

// page: origin
print(client.explain(GetUser(id: 7))["timeout"]?.origin ?? .default)
// page end

// page: off
let explained = client.explain(GetUser(id: 7)) {
    $0.retry = .never
    $0.timeout = .unlimited
    $0.headers.remove("X-App-Version")
}
for name in ["timeout", "retry"] { print(explained[name]?.value ?? "") }
// page end
