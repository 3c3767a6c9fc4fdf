// Shows a call on the console, its timings, its settings and its curl command.
import Shop
import Tarmac
import TarmacURLSession

struct User: Decodable, Sendable { var id: Int, name: String }

struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let route: Route = .get("/users/{id}")
    var id: Int
}

struct LogIn: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .post("/session")
    var name: String
    @Secret var password: String
}

// page: console
let client = Client(transport: .urlSession, services: [Service("shop", host: ShopServer.url)]) {
    $0.observers = [ConsoleLogger()]
}
let landed = try await client.landed(for: GetUser(id: 7))
try await client.send(LogIn(name: "ann", password: "runway"))
// page end

// page: timings
for timings in landed.timings { print("attempt \(timings.attempt): \(timings)") }
// page end

// page: curl
print(CurlPrinter().command(for: try client.request(for: LogIn(name: "ann", password: "runway"))))
// page end

// page: observer
let quiet = Client(transport: .urlSession, services: [Service("shop", host: ShopServer.url)]) {
    $0.observers = [
        .closure { event in
            if case .failed(let error, let duration) = event.kind { print(event.endpoint, error.code, duration > .zero) }
        }
    ]
}
_ = try? await quiet.get("/users/9", as: User.self)
// page end

// page: explain
print(client.explain(GetUser(id: 7))["timeout"] ?? "")
// page end
