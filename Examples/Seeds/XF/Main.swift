// XFNetwork's own program: the suggest service with its reformer, a file that comes down and goes up again, a batch that
// tells what failed, two services apart, and an encryptor.
import Support
import Tarmac
import TarmacJSON
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

// call site: XF suggest
struct Suggest: Endpoint, Encodable {
    typealias Value = JSON
    static let route: Route = .get("/sug")
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
        ["data": try parameters.json().map { String($0 ^ key, radix: 16) }.joined(separator: ".")]
    }

    /// Never called by Tarmac: the program looks with it at what was sent.
    func decrypt(_ text: String) -> String {
        String(decoding: text.split(separator: ".").compactMap { UInt8($0, radix: 16) }.map { $0 ^ key }, as: UTF8.self)
    }
}

@main
struct XF {
    static func main() async { await Stage.run(fly) }

    @MainActor static func fly() async throws {
        let (server, stage) = (Stage.server, Stage())
        // call site: XF service
        let taobao = Service("taobao", host: Hosts(server), connection: ConnectionSettings { $0.connectionsPerHost = 2 }) { $0.subPath = "/seeds" }
        // end of call site
        let weather = Service("weather", host: Hosts(server)) {
            $0.headers["X-Station"] = "north"
            $0.maximumBodySize = 10_000
        }
        let client = Client(transport: .urlSession, services: [taobao, weather])

        // call site: XF suggest
        // 场景一：搜索建议，由 reformer 得到要显示的文字
        let words = try await client.send(Suggest(q: "卫衣"), reformedBy: SuggestReformer())
        // end of call site
        stage.say("suggested: \(words.joined(separator: ", "))")
        try expect(words.count == 2, "two suggestions")

        // 场景二：reformer 抛出的错误就是这次调用的错误
        do {
            _ = try await client.send(Suggest(q: ""), reformedBy: SuggestReformer())
        } catch let error as TarmacError {
            stage.say("\(error.code), because of \(error.cause(as: SuggestReformer.NoData.self) == nil ? "something else" : "no data")")
        }
        try expect(stage.lines.last == "reformingFailed, because of no data", "a reformer's error as the call's")

        try await downAndUp(client, stage)

        // A batch, told as it goes: what succeeded, and what failed.
        // 场景四：批量请求，一个失败不掩盖其他
        let suggestions = ["cup", "", "pot"].map { Suggest(q: $0).reformed(by: SuggestReformer()) }
        let outcomes = await client.batch(suggestions, progress: { print("  \($0.completed) of \($0.total)") })
        try expect(outcomes.map { (try? $0.get()) != nil } == [true, false, true], "one of three failed, and hid no other")

        try await apart(client, taobao, weather, stage)

        // On the wire there is one field nobody can read.
        // 场景六：加密参数
        let encryptor = Encryptor(key: 0x5A)
        let echoed = try await client[taobao].post("/echo", ["user": "ann"], as: JSON.self) {
            $0.subPath = ""
            $0.parameterTransforms = [encryptor]
        }
        let sealed = try echoed.get("json", "data", as: String.self)
        stage.say("sent \(sealed.prefix(12))…, which is \(encryptor.decrypt(sealed))")
        try expect(encryptor.decrypt(sealed) == #"{"user":"ann"}"#, "the parameters behind the cipher")
        await client.shutdown()
    }

    // 场景五：两个服务的设置互不相干
    /// Two services know nothing of each other: the header field and the limit of the weather are not those of taobao.
    static func apart(_ client: Client, _ taobao: Service, _ weather: Service, _ stage: Stage) async throws {
        let long = String(repeating: "卫", count: 10_000)
        var said: [String] = []
        for service in [weather, taobao] {
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

    // 场景三：文件下载与表单上传，都有进度
    /// Both tell how far they are. The form keeps the file's name, and its type follows from that.
    static func downAndUp(_ client: Client, _ stage: Stage) async throws {
        let path = FilePlace.temporary("photo.jpg")
        defer { FilePlace.remove(path) }
        let shown: @Sendable (TransferProgress) -> Void = { if $0.fraction == 1 { print("  all of it") } }
        try await client.download(GetPhoto(name: "1.jpg"), to: path, progress: shown)
        let form = try Body.multipart([.field("album", "2026"), .file("photo", path, fileName: "sunrise.jpg")])
        let answer = try await client.upload(form, to: PostPhotos(), progress: shown)
        let photo = answer["files"][1]
        await stage.say("\(photo["fileName"].string ?? "") went up as \(photo["type"].string ?? "")")
        try expect(photo["fileName"] == "sunrise.jpg" && photo["type"] == "image/jpeg", "name and type of a file")
        try expect(FilePlace.size(path) == photo["bytes"].int, "what came down went up")
    }
}
