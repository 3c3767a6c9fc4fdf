// expected: type 'String' has no member 'accept'
import Tarmac

struct GetUser: Endpoint {
    typealias Value = String
    static let route: Route = .get("/users/7")
    func configure(_ options: inout Options) { options.headers[.accept] = "text/plain" }
}
