import Tarmac
import TarmacURLSession

struct Repo: Decodable, Sendable { var name: String }

let client = Client(transport: .urlSession, services: [Service("github", host: "https://api.github.com")])

func callGitHub() async throws {
    let repo = try await client.get("/repos/{owner}/{name}", ["owner": "swiftlang", "name": "swift"], as: Repo.self)
    print(repo.name)
}

@main
struct Slim {
    static func main() async throws {
        print(client.explain(.get("/repos/{owner}/{name}", ["owner": "swiftlang", "name": "swift"], as: Repo.self)))
        if CommandLine.arguments.contains("--call") { try await callGitHub() }
        await client.shutdown()
    }
}
