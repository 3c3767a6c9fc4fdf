// expected: type 'ListUsers' does not conform to protocol 'Endpoint'
import Tarmac

struct ListUsers: Endpoint {
    static let route: Route = .get("/users")
}
