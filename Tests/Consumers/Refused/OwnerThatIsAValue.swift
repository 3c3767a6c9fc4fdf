// expected: requires that 'Screen' conform to 'LifetimeOwner'
import Tarmac

struct User: Decodable, Sendable { var id: Int }

struct Screen {
    @MainActor func load(_ client: Client) { client.start(.get("/users/7", as: User.self), owner: self) { _, _ in } }
}
