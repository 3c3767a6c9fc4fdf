// expected: cannot convert value of type 'User' to expected dictionary value type 'any Encodable & Sendable'
import Tarmac

struct User: Decodable, Sendable { var id: Int }

func user(_ client: Client) async throws -> User {
    try await client.post("/users", ["id": 7, "user": User(id: 3)], as: User.self)
}
