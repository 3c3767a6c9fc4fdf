// expected: type 'ListUsers' does not conform to protocol 'Work'
// expected: protocol requires nested type 'Value'
import Tarmac

struct ListUsers: Endpoint {
    static let route: Route = .get("/users")
}
