#if Tools
import Tarmac

struct DemoUser: Codable, Sendable { var id: Int; var name: String }
struct DemoSession: Codable, Sendable { var token: String }
struct DemoPlace: Codable, Sendable { var service: String; var environment: String }

/// Discrete (离散型): a value per API; fields named in the template fill it.
struct GetUser: Endpoint, Encodable {
    typealias Value = DemoUser
    static let route: Route = .get("/users/{id}")
    var id: Int
}

/// The same with a limit of its own, for `explain` to show. It is not sent, so no machine is too slow for the tour.
enum Explained {
    struct GetUser: Endpoint, Encodable {
        typealias Value = DemoUser
        static let route: Route = .get("/users/{id}")
        var id: Int
        func configure(_ options: inout Options) { options.timeout = .seconds(15) }
    }
}

struct Login: Endpoint, Encodable {
    typealias Value = DemoSession
    static let route: Route = .post("/login")
    var name: String
    @Secret var password: String
}

struct Slow: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .get("/slow")
    var ms: Int
}
#endif
