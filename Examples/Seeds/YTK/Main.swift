// YTKNetwork's own program: user info kept for three minutes, an accessory that animates, a batch of four, register and then
// the user, a JSON validator, a picture in a form, and a video from the CDN that goes on after a break and after a relaunch.
import Foundation
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
    func configure(_ options: inout Options) {
        options.cache = .ttl(.seconds(60 * 3))
        options.shape = ["id": .integer(in: 1...), "name": .string, "nick": .string.optional]
    }
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

struct UploadImageApi: Endpoint, Encodable {
    typealias Value = JSON
    static let route: Route = .post("/seeds/uploads")
}

/// `breaks` makes the demo server end the connection half way.
struct GetVideoApi: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .get("/bytes/{size}")
    var size: Int
    var breaks = true
    func configure(_ options: inout Options) { options.host = .cdn }
}

/// Where YTKNetworkConfig was set up. With a ledger, an unfinished download goes on after the process has ended.
func makeClient(_ server: String, transfers: String) -> Client {
    let service = Service("app", host: Hosts(server, cdn: "\(Stage.cdn)/cdn"))
    return Client(transport: .urlSession, services: [service]) { $0.transferLedger = .folder(transfers) }
}

// call site: YTK upload
func uploadImage(_ client: Client, _ jpeg: Data) async throws -> JSON {
    let form = try Body.multipart([.data("image", jpeg, fileName: "image", contentType: "image/jpeg")])
    return try await client.send(Upload(form, to: UploadImageApi()))
}
// end of call site

/// What is missing after a break is asked for by Range, also when another process received the first part.
func downloadVideo(_ client: Client, to path: String) async throws -> DownloadedFile {
    try await client.send(Download(GetVideoApi(size: 300_000), to: path), progress: { if $0.fraction == 1 { print("  downloaded") } })
}

@MainActor
final class ProfileScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    let stage: Stage
    init(_ stage: Stage) { self.stage = stage }

    // call site: YTK batch
    func sendBatchRequest(_ client: Client) {
        let batch = Batch(GetImageApi(imageId: "1.jpg"), GetImageApi(imageId: "2.jpg"), GetImageApi(imageId: "3.jpg"), GetUserInfoApi(id: 23))
        client.start(batch, owner: self) { screen, result in
            switch result {
            case .success(let (_, _, third, user)): screen.stage.say("batch: \(third.url) and \(user.name)")
            case .failure(let error): screen.stage.say("no batch: \((error as? TarmacError)?.userMessage ?? "cancelled")")
            }
        }
    }
    // end of call site

    // call site: YTK chain
    func sendChainRequest(_ client: Client) {
        client.start(RequestChain(RegisterApi(username: "ann", password: "runway")).then { GetUserInfoApi(id: $0.userId) }, owner: self) { screen, result in
            switch result {
            case .success(let user): screen.stage.say("chain: \(user.name)")
            case .failure(let error): screen.stage.say("no chain: \((error as? TarmacError)?.userMessage ?? "cancelled")")
            }
        }
    }
    // end of call site
}

@main
struct YTK {
    static func main() async { await Stage.run(fly) }

    @MainActor static func fly() async throws {
        let (server, stage) = (Stage.server, Stage())
        if CommandLine.arguments.count == 6 { return try await launched(CommandLine.arguments, stage) }
        let animating = CallHooks.onMainActor(
            "animation", willStart: { stage.say("spins for \($0.name)") }, willStop: { call, _ in stage.say("slows for \(call.name)") },
            didStop: { call, _ in stage.say("stands for \(call.name)") })
        let transfers = FilePlace.temporary("transfers")
        defer { FilePlace.remove(transfers) }
        let client = makeClient(server, transfers: transfers)

        // 场景一：取用户信息，前后有 accessory（钩子）
        let user = try await client.send(GetUserInfoApi(id: 7)) { $0.hooks = [animating] }
        try expect(user.id == 7 && stage.lines == ["spins", "slows", "stands"].map { "\($0) for GetUserInfoApi" }, "an accessory around the call")

        // The same within three minutes: nothing is sent. The accessory is told all the same.
        // 场景二：三分钟内再次获取，命中缓存；忽略缓存时重新请求
        let kept = try await client.landed(for: GetUserInfoApi(id: 7)) { $0.hooks = [animating] }
        try expect(kept.source == .cache && stage.lines.count == 6, "user info of before")
        let fresh = try await client.landed(for: GetUserInfoApi(id: 7)) { $0.cache = .reload }
        try expect(fresh.source == .network, "user info asked for anew")

        // 场景三：批量与链式请求
        let screen = ProfileScreen(stage)
        screen.sendBatchRequest(client)
        await stage.heard("batch: ")
        screen.sendChainRequest(client)
        await stage.heard("chain: ")

        // The validator names what is wrong, and where.
        // 场景四：JSON 校验失败，错误里有路径
        do {
            _ = try await client.send(GetUserInfoApi(id: 8)) { $0.shape = ["id": .string] }
        } catch let error as TarmacError {
            stage.say("\(error.code) at \(error.path ?? "")")
        }
        try expect(stage.lines.last == "shapeMismatch at $.id", "the path of what does not fit")

        try await upload(client, stage)
        try await download(client, stage)
        await client.shutdown()
        try relaunch(transfers)
    }

    // 场景五：上传图片
    static func upload(_ client: Client, _ stage: Stage) async throws {
        let jpeg = FilePlace.jpeg
        let answer = try await uploadImage(client, jpeg)
        let part = answer["files"][0]
        await stage.say("uploaded \(part["fileName"].string ?? "") of type \(part["type"].string ?? "")")
        try expect(part["bytes"].int == jpeg.count, "the whole picture")
    }

    // 场景六：从 CDN 下载，连接中断后从断点继续
    /// From the CDN, by a connection that breaks off half way: what is missing is asked for by Range.
    static func download(_ client: Client, _ stage: Stage) async throws {
        let path = FilePlace.temporary("video")
        defer { FilePlace.remove(path) }
        let file = try await downloadVideo(client, to: path)
        await stage.say("the last answer was \(file.response.status.code), from \(file.response.url)")
        try expect(file.response.status == .partialContent && FilePlace.size(path) == 300_000, "the whole file, from where it broke off")
        try expect("\(file.response.url)".hasPrefix("\(Stage.cdn)/cdn/"), "a file of the CDN")
    }

    /// Fails what is asked for in the other way: the whole file, or the rest of it.
    struct Passing: Interceptor {
        let rest: Bool
        func intercept(_ request: Request, chain: Chain) async throws -> Response {
            try expect((request.headers[.range] != nil) == rest, rest ? "a request for the rest" : "a request for the whole")
            return try await chain.proceed(request)
        }
    }

    // 场景七：App 重启之后从断点继续
    /// A first process receives half of the file and ends; another process with the same ledger never asks for the whole.
    static func relaunch(_ transfers: String) throws {
        let path = FilePlace.temporary("relaunched")
        defer { FilePlace.remove(path) }
        try expect(try launch("begin", transfers, path) == 0 && FilePlace.size(path) == nil, "no file before it is whole")
        try expect(try launch("go on", transfers, path) == 0 && FilePlace.size(path) == 300_000, "the rest alone after a relaunch")
    }

    /// Another process of this program, and its status when it has ended.
    static func launch(_ step: String, _ transfers: String, _ path: String) throws -> Int32 {
        let app = Process()
        app.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        app.arguments = [Stage.server, Stage.cdn, transfers, path, step]
        try app.run()
        app.waitUntilExit()
        return app.terminationStatus
    }

    /// What such a process does: the first ends with half of the file, the other asks for the rest.
    static func launched(_ arguments: [String], _ stage: Stage) async throws {
        let (client, path) = (makeClient(Stage.server, transfers: arguments[3]), arguments[4])
        if arguments[5] == "begin" {
            var end: TarmacError?
            do {
                _ = try await client.send(Download(GetVideoApi(size: 300_000), to: path)) { $0.attemptInterceptors = [Passing(rest: false)] }
            } catch let error as TarmacError {
                end = error
            }
            // The server breaks off, and `Passing` keeps this process from asking for the rest.
            try expect(end?.code == .callerFailed, "half of the file")
            return
        }
        let file = try await client.send(Download(GetVideoApi(size: 300_000), to: path)) { $0.attemptInterceptors = [Passing(rest: true)] }
        await stage.say("after the relaunch: \(file.response.status.code)")
        try expect(file.response.status == .partialContent, "the rest alone")
        await client.shutdown()
    }
}
