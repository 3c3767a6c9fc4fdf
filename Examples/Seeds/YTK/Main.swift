// YTKNetwork's own program: user info, a batch of four, register and then the user, a file from the CDN, a JSON
// validator, and an accessory that animates.
import Support
import Tarmac
import TarmacJSON
import TarmacURLSession

struct User: Decodable, Sendable { var id: Int; var name: String }
struct Image: Decodable, Sendable { var url: String }
struct Registered: Decodable, Sendable { var userId: Int }

struct GetUserInfoApi: Endpoint, Encodable {
    typealias Value = User
    static let route: Route = .get("/users/{id}")
    var id: Int
    func configure(_ options: inout Options) { options.shape = ["id": .integer(in: 1...), "name": .string, "nick": .string.optional] }
}

struct GetImageApi: Endpoint, Encodable {
    typealias Value = Image
    static let route: Route = .get("/seeds/images/{imageId}")
    var imageId: String
}

struct RegisterApi: Endpoint, Encodable {
    typealias Value = Registered
    static let route: Route = .post("/seeds/register")
    var username: String
    @Secret var password: String
}

struct GetVideoApi: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .get("/bytes/{size}")
    var size: Int
    func configure(_ options: inout Options) { options.host = .cdn }
}

@MainActor
final class ProfileScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    let stage: Stage
    init(_ stage: Stage) { self.stage = stage }

    func sendBatchRequest(_ client: Client) {
        client.start(owner: self) {
            try await $0.batch(GetImageApi(imageId: "1.jpg"), GetImageApi(imageId: "2.jpg"), GetImageApi(imageId: "3.jpg"), GetUserInfoApi(id: 23))
        } landed: { screen, result in
            if case .success(let (_, _, third, user)) = result { screen.stage.say("batch: \(third.url) and \(user.name)") }
        }
    }

    func sendChainRequest(_ client: Client) {
        client.chain(RegisterApi(username: "ann", password: "runway")).then { GetUserInfoApi(id: $0.userId) }
            .start(owner: self) { screen, result in
                if case .success(let user) = result { screen.stage.say("chain: \(user.name)") }
            }
    }
}

@main
struct YTK {
    @MainActor static func main() async throws {
        let (server, stage) = (Stage.server, Stage())
        let animating = CallHooks.onMainActor(
            "animation", willStart: { stage.say("spins for \($0.name)") }, didStop: { call, _ in stage.say("stands for \(call.name)") })
        let service = Service("app", host: Hosts(server, cdn: server))
        let client = Client(transport: .urlSession, services: [service])

        let user = try await client.send(GetUserInfoApi(id: 7)) { $0.hooks = [animating] }
        try expect(user.id == 7 && stage.lines == ["spins for GetUserInfoApi", "stands for GetUserInfoApi"], "an accessory around the call")

        let screen = ProfileScreen(stage)
        screen.sendBatchRequest(client)
        await stage.heard("batch: ")
        screen.sendChainRequest(client)
        await stage.heard("chain: ")

        // The validator names what is wrong, and where.
        do {
            _ = try await client.send(GetUserInfoApi(id: 7)) { $0.shape = ["id": .string] }
        } catch let error as TarmacError {
            stage.say("\(error.code) at \(error.path ?? "")")
        }
        try expect(stage.lines.last == "shapeMismatch at $.id", "the path of what does not fit")

        let path = FilePlace.temporary("video")
        defer { FilePlace.remove(path) }
        try await client.download(GetVideoApi(size: 300_000), to: path, progress: { if $0.fraction == 1 { print("  downloaded") } })
        try expect(FilePlace.size(path) == 300_000, "the whole file")
        await client.shutdown()
    }
}
