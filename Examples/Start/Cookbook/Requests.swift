import Foundation
import Tarmac
import TarmacURLSession

// page: headers
struct RequestID: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        var request = request
        request.headers[.init("X-Request-ID")!] = UUID().uuidString
        return try await chain.proceed(request)
    }
}

let withHeaders = Client(transport: .urlSession, services: [.shop]) {
    $0.headers["X-App-Version"] = "3.2.0"
    $0.interceptors = [RequestID()]
}
// page end

// page: environment
extension ServiceEnvironment { static let customer = ServiceEnvironment("customer") }

func client(forHost host: String) -> Client {
    let shop = Service(
        "shop",
        hosts: [
            .production: "https://api.shop.example", .test: "https://test.shop.example", .customer: Hosts(host),
        ])
    return Client(transport: .urlSession, services: [shop], environment: .customer)
}

func switchToTest(_ client: Client) { client.environment = .test }
// page end

// page: hosts
extension HostKind { static let user = HostKind("user") }

extension Service {
    static let mall = Service("mall", host: mallHosts) { $0.authenticator = Authentication(ShopAuthenticator()) }

    private static var mallHosts: Hosts {
        var hosts: Hosts = "https://api.mall.example"
        hosts[.user] = "https://user.mall.example"
        return hosts
    }
}

struct Profile: Endpoint {
    typealias Value = User
    static let service = Service.mall
    static let route: Route = .get("/profile")
    func configure(_ options: inout Options) { options.host = .user }
}
// page end

// page: form
let legacy = Service("legacy", host: "https://legacy.shop.example") { $0.bodyFormat = .form }

func order(_ client: Client) async throws -> Order {
    try await client[legacy].post("/orders", ["product": "cup", "count": 2], as: Order.self)
}
// page end

// page: query
let rails = Service("rails", host: "https://rails.shop.example") {
    $0.query = QueryEncoder(arrays: .brackets, numericBooleans: true, dates: .secondsSince1970)
}
// /products?tag%5B%5D=new&tag%5B%5D=red&inStock=1
func products(_ client: Client) async throws -> [Product] {
    try await client[rails].get("/products", ["tag": ["new", "red"], "inStock": true], as: [Product].self)
}
// page end

// page: optional
struct EditUser: Endpoint, Encodable {
    typealias Value = User
    static let route: Route = .patch("/users/{id}")
    var id: Int
    var name: String?  // nil: not in the body
    var nickname: ParameterValue = .null  // null in the body: the server removes it
    @Header("If-Match") var tag: String? = nil
}
// page end

// page: body
func send(_ client: Client, json: String, image: Data, tags: [String]) async throws {
    try await client.put("/documents/7", body: .text(json, contentType: "application/json"))
    try await client.put("/images/7", body: .data(image, contentType: "image/png"))
    try await client.put("/tags/7", body: .json(tags))
}
// page end

// page: gzip
func report(_ client: Client, lines: [String]) async throws {
    try await client.post("/reports", body: .json(lines)) { $0.requestCompression = .gzip(minimumSize: 1_024) }
}
// page end

// page: absolute
func next(_ client: Client, link: String) async throws -> [Product] {
    try await client.get(link, as: [Product].self)
}
// page end

// page: graphql
struct GraphQL<Variables: Encodable & Sendable, Answer: Decodable & Sendable>: Endpoint, Encodable {
    typealias Value = Answer
    static var route: Route { .post("/graphql") }
    var query: String
    var variables: Variables
    func configure(_ options: inout Options) {
        options.envelope = Envelope(success: { $0["errors"].isMissing || $0["errors"].isNull }, payload: "data")
    }
}

struct UserData: Decodable, Sendable { var user: User }

func user(_ client: Client) async throws -> User {
    let call = GraphQL<[String: Int], UserData>(query: "query($id: Int!) { user(id: $id) { id name } }", variables: ["id": 7])
    do {
        return try await client.send(call).user
    } catch let error as TarmacError where error.code == .envelopeFailure {
        print(try error.response?.decode(as: JSON.self)["errors"][0]["message"].string ?? "")
        throw error
    }
}
// page end
