// expected: cannot convert value of type 'GetUser.Value' (aka 'String') to specified type '[String]'
import Tarmac

struct GetUser: Endpoint {
    typealias Value = String
    static let route: Route = .get("/users/7")
}

func users(_ client: Client) async throws {
    let users: [String] = try await client.send(GetUser())
    _ = users
}
