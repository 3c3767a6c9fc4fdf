// expected: value of type 'Options' has no member 'timeOut'
import Tarmac

struct User: Decodable, Sendable { var id: Int }

func user(_ client: Client) async throws -> User {
    try await client.get("/users/7", as: User.self) { $0.timeOut = .seconds(3) }
}
