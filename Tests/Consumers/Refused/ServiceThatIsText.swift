// expected: type 'ListUsers' does not conform to protocol 'Endpoint'
// expected: candidate would match if 'String' was the same type as 'Service'
import Tarmac

struct ListUsers: Endpoint {
    typealias Value = [String]
    static let service = "shop"
    static let route: Route = .get("/users")
}
