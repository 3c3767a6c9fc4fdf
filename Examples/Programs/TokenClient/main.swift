// Logs in, calls with the token, renews it when the server refuses it, and logs out: TokenClient http://127.0.0.1:8080
import Tarmac
import TarmacJSON
import TarmacURLSession

struct Login: Encodable {
    var name = "ann"
    @Secret var password = "runway"
}

struct Session: Decodable, Sendable {
    var token: String
}

struct Tokens: Authenticator {
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        AccessToken(try await context.client.post("/login", Login(), as: Session.self).token)
    }
}

let client = Client(transport: .urlSession, services: [Service("api", host: CommandLine.arguments[1])]) {
    $0.authenticator = Authentication(Tokens())
}
let session = try await client.post("/login", Login(), as: Session.self) { $0.authenticator = .off }
try await client.logIn(AccessToken(session.token))
print("sent:", try await client.get("/echo", as: JSON.self)["headers"]["Authorization"].string ?? "no token")
try await client.logOut()
do { try await client.get("/echo") } catch { print("logged out:", error) }
