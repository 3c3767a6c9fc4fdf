// expected: cannot assign value of type 'Int' to type 'TimeLimit'
import Tarmac

struct User: Decodable, Sendable { var id: Int }

func user(_ client: Client) async throws -> User {
    try await client.get("/users/7", as: User.self) { $0.timeout = 3 }
}
