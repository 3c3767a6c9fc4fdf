#if Tools
import Tarmac
import TarmacJSON

struct Registered: Decodable, Sendable { var userId: Int }

struct Register: Endpoint, Encodable {
    typealias Value = Registered
    static let route: Route = .post("/seeds/register")
    var username: String
    @Secret var password: String
}

struct Suggest: Endpoint, Encodable {
    typealias Value = JSON
    static let route: Route = .get("/seeds/sug")
    var q: String
}

/// The words alone; an answer without any is a failure.
struct Suggestions: Reformer {
    struct None: Error {}

    func reform(_ payload: Payload) throws -> [String] {
        let words = try payload.json["result"].elements.map { try $0.get(0, as: String.self) }
        if words.isEmpty { throw None() }
        return words
    }
}

enum VersionKeys {
    static let version = JSONKey<String>("ver")
}

/// What a presenter prompts.
@MainActor
final class PromptBoard: Presenter {
    private(set) var lines: [String] = []
    nonisolated init() {}
    func present(_ error: PresentedError) { lines.append("\(error.kind): \(error.message)") }
}
#endif
