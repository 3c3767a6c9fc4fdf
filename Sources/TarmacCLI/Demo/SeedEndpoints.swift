#if Tools
import Foundation
import Tarmac
import TarmacJSON

struct Registered: Decodable, Sendable { var userId: Int }

struct Register: Endpoint, Encodable {
    typealias Value = Registered
    static let route: Route = .post("/seeds/register")
    var username: String
    @Secret var password: String
}

struct Video: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .get("/bytes/{size}")
    var size: Int
    var breaks: Bool
    func configure(_ options: inout Options) { options.host = .cdn }
}

struct Photo: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .get("/seeds/files/{name}")
    var name: String
}

struct PostPhotos: Endpoint, Encodable {
    typealias Value = JSON
    static let route: Route = .post("/seeds/uploads")
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

/// A file that is removed with the last reference to it.
final class PassingFile: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
    var size: Int { (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0 }
    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The prompts of a presenter.
@MainActor
final class PromptBoard: Presenter {
    private(set) var prompts: [(kind: String, message: String)] = []
    private let language: UserMessageLanguage

    nonisolated init(language: UserMessageLanguage) { self.language = language }

    func present(_ error: PresentedError) { prompts.append((error.kind.rawValue, error.message(in: language))) }
}
#endif
