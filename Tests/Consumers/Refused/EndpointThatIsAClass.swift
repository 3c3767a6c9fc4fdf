// expected: non-final class 'GetUser' cannot conform to the 'Sendable' protocol
import Tarmac

class GetUser: Endpoint {
    typealias Value = String
    static let route: Route = .get("/users/7")
}
