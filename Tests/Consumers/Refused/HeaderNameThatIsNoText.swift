// expected: type 'String' has no member 'accept'
import Tarmac

struct GetUser: Endpoint {
    typealias Value = String
    static let route: Route = .get("/users/7")
}

func user(_ client: Client) async throws -> String {
    try await client.send(GetUser()) { $0.headers[.accept] = "text/plain" }
}
