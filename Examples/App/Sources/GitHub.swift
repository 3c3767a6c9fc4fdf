#if canImport(SwiftUI)
import Tarmac

extension Service {
    static let github = Service("github", host: "https://api.github.com") {
        $0.timeout = .seconds(15)
        $0.retry = .exponential(maxAttempts: 3)
    }
}

/// The repositories of an organization, those pushed to last first.
struct ListRepositories: Endpoint, Encodable {
    typealias Value = [Repository]
    static let service = Service.github
    static let route: Route = .get("/orgs/{organization}/repos")
    var organization: String
    var sort = "pushed"
}

struct Repository: Decodable, Sendable, Identifiable {
    var id: Int64
    var name: String
    var description: String?
}
#endif
