// XFNetwork's own program: the suggest service with its reformer, a file that comes down and goes up again, a batch that
// tells what failed, two services apart, an encryptor of parameters and a cipher for bodies.
import Foundation
import Support
import Tarmac
import TarmacJSON
import TarmacSigning
import TarmacURLSession

/// TBReformer: what the screen shows, or an error that says why there is nothing.
// call site: XF reformer
struct SuggestReformer: Reformer {
    struct NoData: Error {}
    func reform(_ payload: Payload) throws -> [String] {
        let rows = try payload.json["result"].elements.map { try $0.get(0, as: String.self) }
        if rows.isEmpty { throw NoData() }
        return rows
    }
}
// end of call site

extension Service {
    // call site: XF service
    static let taobao = Service("taobao", host: Stage.server) { $0.subPath = "/seeds" }
    // end of call site
    static let weather = Service("weather", host: Stage.server, connection: ConnectionSettings { $0.connectionsPerHost = 2 }) {
        $0.headers["X-Station"] = "north"
        $0.maximumBodySize = 10_000
    }
}

// call site: XF suggest
struct Suggest: Endpoint, Encodable {
    typealias Value = JSON
    static let (service, route) = (Service.taobao, Route.get("/sug"))
    var code = "utf-8"
    var q: String
    func configure(_ options: inout Options) { options.timeout = .seconds(10) }
}
// end of call site

/// XFDownloadAPI: where to is said by the call.
struct GetPhoto: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .get("/files/{name}")
    var name: String
}

/// XFUploadAPI: what to send is said by the call.
struct PostPhotos: Endpoint, Encodable {
    typealias Value = JSON
    static let route: Route = .post("/uploads")
}

/// The app's own encryption of parameters: what went in comes out as one field. TarmacCrypto has real ciphers.
struct Encryptor: ParameterTransform {
    let key: UInt8
    func transform(_ parameters: ParameterList, for request: ParameterTarget) throws -> ParameterList {
        ["data": try JSONEncoder().encode(parameters).map { String($0 ^ key, radix: 16) }.joined(separator: ".")]
    }

    /// Never called by Tarmac: the program looks with it at what was sent.
    func decrypt(_ text: String) -> String {
        String(decoding: text.split(separator: ".").compactMap { UInt8($0, radix: 16) }.map { $0 ^ key }, as: UTF8.self)
    }
}

/// The app's own encryption of bodies, in both directions. TarmacCrypto has real ciphers.
struct AppCipher: PayloadCipher {
    let key: UInt8
    func encrypt(_ plain: Data) throws -> Data { Data(plain.map { $0 ^ key }) }
    func decrypt(_ sealed: Data) throws -> Data { Data(sealed.map { $0 ^ key }) }

    func seal(_ request: Request, at date: Date) async throws -> Request {
        guard let plain = request.body.buffered, !plain.isEmpty else { return request }
        var sealed = request
        sealed.body = .data(try encrypt(plain.data))
        return sealed
    }

    func open(_ response: Response, to request: Request, at date: Date) async throws -> Response {
        guard let sealed = response.body.collected else { return response }
        var opened = response
        opened.body = .bytes(Bytes(try decrypt(sealed.data)))
        return opened
    }
}

/// The screen that shows suggestions.
@MainActor
final class SuggestScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    let stage: Stage
    init(_ stage: Stage) { self.stage = stage }

    func search(_ text: String, on client: Client) {
        // call site: XF suggest
        client.start(Suggest(q: text).reformed(by: SuggestReformer()), owner: self) { screen, result in
            do { screen.show(try result.get()) } catch { screen.fail(error) }
        }
        // end of call site
    }

    private func show(_ words: [String]) { stage.say("suggested: \(words.joined(separator: ", "))") }
    private func fail(_ error: any Error) {
        guard let error = error as? TarmacError else { return }
        stage.say("\(error.code), because of \(error.cause(as: SuggestReformer.NoData.self) == nil ? "something else" : "no data")")
    }
}

@main
struct XF {
    static func main() async { await Stage.run(fly) }

    @MainActor static func fly() async throws {
        let stage = Stage()
        let client = Client(transport: .urlSession, services: [.taobao, .weather])
        let screen = SuggestScreen(stage)

        // 场景一：搜索建议，由 reformer 得到要显示的文字
        screen.search("卫衣", on: client)
        await stage.heard("suggested: ")
        try expect(stage.lines.last == "suggested: 卫衣 men, 卫衣 women", "two suggestions")

        // 场景二：reformer 抛出的错误就是这次调用的错误
        screen.search("", on: client)
        await stage.heard("reformingFailed, because of no data")

        try await downAndUp(client, stage)

        // A batch, told as it goes: what succeeded, and what failed.
        // 场景三：批量请求，其中一个失败不影响其他
        let suggestions = ["cup", "", "pot"].map { Suggest(q: $0).reformed(by: SuggestReformer()) }
        let outcomes = try await client.send(Batch(suggestions), progress: { print("  \($0.completed) of \($0.total)") })
        try expect(outcomes.map { (try? $0.get()) != nil } == [true, false, true], "one of three failed, and hid no other")

        try await apart(client, stage)

        // On the wire there is one field nobody can read.
        // 场景四：加密参数
        let encryptor = Encryptor(key: 0x5A)
        let echoed = try await client[.taobao].post("/echo", ["user": "ann"], as: JSON.self) {
            $0.subPath = ""
            $0.parameterTransforms = [encryptor]
        }
        let sealed = try echoed.get("json", "data", as: String.self)
        stage.say("sent \(sealed.prefix(12))…, which is \(encryptor.decrypt(sealed))")
        try expect(encryptor.decrypt(sealed) == #"{"user":"ann"}"#, "the parameters behind the cipher")

        // The server sends back what it got: sealed on the wire both ways.
        // 场景五：请求体和响应体都加密，解密之后才解码
        let mirrored = try await client[.taobao].post("/mirror", ["user": "ann"], as: JSON.self) { $0.encryption = .cipher(AppCipher(key: 0x5A)) }
        try expect(mirrored["user"] == "ann", "an answer that was decrypted")
        let raw = try await client[.taobao].post("/mirror", body: .data(AppCipher(key: 0x5A).encrypt(Data("ann".utf8))), as: Data.self)
        try expect(raw != Data("ann".utf8) && AppCipher(key: 0x5A).decrypt(raw) == Data("ann".utf8), "bytes nobody can read on the wire")
        await client.shutdown()
    }

    // 场景六：两个服务的设置互不影响
    /// Two services know nothing of each other: the header field and the limit of the weather are not those of taobao.
    static func apart(_ client: Client, _ stage: Stage) async throws {
        let long = String(repeating: "卫", count: 10_000)
        var said: [String] = []
        for service in [Service.weather, .taobao] {
            let echoed = try await client[service].post("/echo", ["text": "short"], as: JSON.self) { $0.subPath = "" }
            do {
                _ = try await client[service].post("/echo", ["text": JSON(long)], as: JSON.self) { $0.subPath = "" }
                said.append("\(service.name): station \(echoed["headers"]["X-Station"].string ?? "none"), a long answer lands")
            } catch let error as TarmacError {
                said.append("\(service.name): station \(echoed["headers"]["X-Station"].string ?? "none"), \(error.code)")
            }
        }
        for line in said { await stage.say(line) }
        try expect(
            said == ["weather: station north, bodyTooLarge", "taobao: station none, a long answer lands"],
            "settings of one service that the other does not get")
    }

    // 场景七：文件下载与表单上传，都有进度
    /// Both tell how far they are. The form keeps the file's name, and its type follows from that.
    static func downAndUp(_ client: Client, _ stage: Stage) async throws {
        let path = FilePlace.temporary("photo.jpg")
        defer { FilePlace.remove(path) }
        let shown: @Sendable (TransferProgress) -> Void = { if $0.fraction == 1 { print("  all of it") } }
        try await client.send(Download(GetPhoto(name: "1.jpg"), to: path), progress: shown)
        let form = try Body.multipart([.field("album", "2026"), .file("photo", path, fileName: "sunrise.jpg")])
        let answer = try await client.send(Upload(form, to: PostPhotos()), progress: shown)
        let photo = answer["files"][1]
        await stage.say("\(photo["fileName"].string ?? "") went up as \(photo["type"].string ?? "")")
        try expect(photo["fileName"] == "sunrise.jpg" && photo["type"] == "image/jpeg", "name and type of a file")
        try expect(FilePlace.size(path) == photo["bytes"].int, "what came down went up")
    }
}
