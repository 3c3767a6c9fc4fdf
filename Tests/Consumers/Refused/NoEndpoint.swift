// expected: requires that 'ListUsers' conform to 'Endpoint'
import Tarmac

struct ListUsers: Sendable {
    typealias Value = [String]
    static let route: Route = .get("/users")
}

func users(_ client: Client) async throws -> [String] { try await client.send(ListUsers()) }
