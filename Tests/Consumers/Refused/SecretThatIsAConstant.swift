// expected: property wrapper can only be applied to a 'var'
import Tarmac

struct Login: Endpoint, Encodable {
    typealias Value = String
    static let route: Route = .post("/login")
    @Secret let password: String
}
