// expected: cannot convert value of type '()' to specified type 'User'
import Tarmac

struct User: Decodable, Sendable { var id: Int }

func user(_ client: Client) async throws {
    let user: User = try await client.get("/users/7")
    _ = user
}
