// expected: type 'GetUser' does not conform to protocol 'Endpoint'
// expected: (aka 'User') conformed to 'Decodable'
import Tarmac

struct User: Sendable {}

struct GetUser: Endpoint {
    typealias Value = User
    static let route: Route = .get("/users/7")
}
