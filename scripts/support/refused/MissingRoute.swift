// expected: type 'ListUsers' does not conform to protocol 'Endpoint'
import Tarmac

struct ListUsers: Endpoint {
    typealias Value = [String]
}
