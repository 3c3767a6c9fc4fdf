// expected: value of type 'Options' has no member 'header'
import Tarmac

struct GetUser: Endpoint {
    typealias Value = String
    static let route: Route = .get("/users/7")
}

func user(_ client: Client) async throws -> String {
    try await client.send(GetUser()) { $0.header["Accept"] = "text/plain" }
}
