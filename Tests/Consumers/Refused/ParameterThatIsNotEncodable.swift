// expected: cannot automatically synthesize 'Encodable' because 'Filter' does not conform to 'Encodable'
import Tarmac

struct Filter: Sendable {}

struct ListUsers: Endpoint, Encodable {
    typealias Value = [String]
    static let route: Route = .get("/users")
    var filter: Filter
}
