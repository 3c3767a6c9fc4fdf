// expected: (Screen, Result<User, any Error>) -> Void' expects 2 arguments, but 1 was used in closure body
import Tarmac

struct User: Decodable, Sendable { var id: Int }

final class Screen: LifetimeOwner {
    let lifetime = Lifetime()

    @MainActor func load(_ client: Client) {
        client.start(.get("/users/7", as: User.self), owner: self) { result in print(result) }
    }
}
