// expected: requires that 'User' conform to 'Decodable'
import Tarmac

struct User: Sendable {}

func user(_ client: Client) async throws -> User { try await client.get("/users/7", as: User.self) }
