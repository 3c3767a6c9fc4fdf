// The app that the tests use.
import Tarmac
import TarmacURLSession

extension Service {
    static let shop = Service("shop", host: "https://api.shop.example")
}

struct User: Decodable, Sendable {
    var id: Int
    var name: String
}

struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let service = Service.shop
    static let route: Route = .get("/users/{id}")
    var id: Int
}

struct Session: Decodable, Sendable {
    var token: String
    var refreshToken: String
}

struct Refresh: Endpoint, Encodable {
    typealias Value = Session
    static let service = Service.shop
    static let route: Route = .post("/refresh")
    @Secret var refreshToken: String
}

struct ShopAuthenticator: Authenticator {
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        let session = try await context.client.send(Refresh(refreshToken: token?.refreshToken ?? ""))
        return AccessToken(session.token, refreshToken: session.refreshToken)
    }
}

// page: client
func shopClient(_ transport: TransportFactory = .urlSession) -> Client {
    Client(transport: transport, services: [.shop]) {
        $0.retry = .exponential(maxAttempts: 3)
        $0.authenticator = Authentication(ShopAuthenticator())
    }
}

@MainActor
final class ProfileModel {
    private let client: Client
    private(set) var title = ""

    init(client: Client) { self.client = client }

    func load() async { title = (try? await client.send(GetUser(id: 7)).name) ?? "unknown" }
}
// page end
