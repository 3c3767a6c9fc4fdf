// expected: class 'Box' does not conform to the 'Sendable' protocol
import Tarmac

final class Box: Decodable { var id = 0 }

struct GetBox: Endpoint {
    typealias Value = Box
    static let route: Route = .get("/box")
}
