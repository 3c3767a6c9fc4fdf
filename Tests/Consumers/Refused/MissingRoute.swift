// expected: type 'ListUsers' does not conform to protocol 'Endpoint'
// expected: protocol requires property 'route' with type 'Route'
import Tarmac

struct ListUsers: Endpoint {
    typealias Value = [String]
}
