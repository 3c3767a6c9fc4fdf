// Shows a call on the console, its timings, its settings and its curl command.
import Shop
import Tarmac
import TarmacCallLog
import TarmacURLSession

struct User: Decodable, Sendable { var id: Int, name: String }
struct Session: Decodable, Sendable { var token: String, refreshToken: String }

struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let route: Route = .get("/users/{id}")
    var id: Int
}

struct LogIn: Endpoint, Encodable {
    typealias Value = Session
    static let route: Route = .post("/login")
    var name: String
    @Secret var password: String
    func configure(_ options: inout Options) { options.authenticator = .off }
}

// page: console
let client = Client(transport: .urlSession, services: [Service("shop", host: ShopServer.url)]) {
    $0.observers = [ConsoleLogger()]
}
let landed = try await client.landed(for: GetUser(id: 7))
_ = try await client.send(LogIn(name: "ann", password: "runway"))
// page end

// page: log
let log = CallLog(last: 200, bodies: .first(.kib(64)))
let logged = Client(transport: .urlSession, services: [Service("shop", host: ShopServer.url)]) { $0.log = log }
_ = try await logged.send(GetUser(id: 7))
for entry in log.entries { print(entry.endpoint, entry.attempts.count, entry.state) }
// page end

// page: timings
for timings in landed.timings { print("attempt \(timings.attempt): \(timings)") }
// page end

// page: curl
print(CurlPrinter().command(for: try client.request(for: LogIn(name: "ann", password: "runway"))))
// page end

// page: observer
struct FailureCounter: EventObserver {
    func receive(_ event: CallEvent) {
        if case .failed(let error, _) = event.kind { print(event.endpoint, error.code) }
    }
}

let quiet = Client(transport: .urlSession, services: [Service("shop", host: ShopServer.url)]) {
    $0.observers = [FailureCounter()]
}
_ = try? await quiet.get("/users/9", as: User.self)
// page end

// page: explain
print(client.explain(GetUser(id: 7))["timeout"] ?? "")
// page end
