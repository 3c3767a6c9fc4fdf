import TarmacCore
import TarmacURLSession

struct User: Decodable, Sendable { var name: String }

@main
struct SizeCore {
    static func main() async throws {
        let client = Client(transport: .urlSession)
        let user = try await client.get(CommandLine.arguments[1], as: User.self)
        print(user.name)
    }
}
