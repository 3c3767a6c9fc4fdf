#if Tools
import TarmacJSON

/// The routes of the programs in Examples/Seeds: `/seeds/…` (pure).
enum SeedRoutes {
    static let index: [(route: String, what: String)] = [
        ("GET /seeds/regeo?location=116.48,39.99", "an address in an envelope; any other text is a failure in one, and no text has no data"),
        ("POST /seeds/register", "a user's id, for a name and a password"),
        ("GET /seeds/images/{name}", "where an image is"),
        ("GET /seeds/files/{name}", "an image, or what a Range names of it"),
        ("POST /seeds/uploads", "what the parts of a multipart form are"),
        ("GET /seeds/sug?q=cup", "suggestions, none for nothing"),
        ("GET /seeds/iosPagingQuery?pageNo=1", "a page of versions; there is no page 0"),
        ("GET /seeds/tools", "a page of tools, of the same form"),
        ("POST /seeds/mirror", "the bytes that were sent, and their type"),
        ("GET /seeds/slow", "an answer after 30 s"),
    ]

    /// - Parameter parts: the path behind `/seeds`.
    static func answer(_ request: DemoRequest, _ parts: [String]) -> DemoAnswer {
        switch (request.method, parts.first, parts.count) {
        case ("GET", "regeo", 1): regeo(request.query("location") ?? "", inChinese: request.wantsChinese)
        case ("POST", "register", 1): register(request)
        case ("GET", "images", 2): .json(["url": JSON("/seeds/files/\(parts[1])")])
        case ("GET", "files", 2): DemoFile(count: 20_000, type: "image/jpeg").answer(request)
        case ("POST", "uploads", 1): upload(request)
        case ("GET", "sug", 1): suggest(request.query("q") ?? "")
        case ("GET", "iosPagingQuery", 1): page(request.query("pageNo") ?? "")
        case ("GET", "tools", 1): .json(["list": [["ver": "2.0", "verDesc": "a wrench"]]])
        case ("POST", "mirror", 1): DemoAnswer(headers: [("Content-Type", request.header("Content-Type") ?? "text/plain")], content: .bytes(request.body))
        case ("GET", "slow", 1): slow
        default: .problem(404, "Not Found", "There is nothing at \(request.path). GET / lists what there is.")
        }
    }

    private static func regeo(_ location: String, inChinese: Bool) -> DemoAnswer {
        if location.isEmpty { return .json(.null) }
        let numbers = location.split(separator: ",").compactMap { Double($0) }
        guard numbers.count == 2 else { return .json(["status": 0, "message": inChinese ? "没有这个地点。" : "There is no such place."]) }
        let (runway, gate) = (Int(numbers[0]), Int(numbers[1]))
        return .json(["status": 1, "data": ["address": JSON(inChinese ? "\(runway) 号跑道，\(gate) 号登机口" : "Runway \(runway), gate \(gate)")]])
    }

    private static func register(_ request: DemoRequest) -> DemoAnswer {
        guard let json = try? JSONDocument(request.body).root, json["username"].string != nil, json["password"].string != nil else {
            return .problem(400, "Bad registration", "Send JSON with username and password.")
        }
        return .json(["userId": 23])
    }

    private static func upload(_ request: DemoRequest) -> DemoAnswer {
        guard let parts = DemoForm.parts(of: request.body, type: request.header("Content-Type") ?? "") else {
            return .problem(400, "Bad form", "Send a multipart form.")
        }
        let files: [JSON] = parts.map { part in
            ["name": JSON(part.name), "fileName": part.fileName.map { JSON($0) } ?? .null, "type": JSON(part.type), "bytes": JSON(part.count)]
        }
        return .json(["files": JSON(files)])
    }

    private static func suggest(_ text: String) -> DemoAnswer {
        if text.isEmpty { return .json(["result": []]) }
        return .json(["result": [[JSON("\(text) men"), "1200"], [JSON("\(text) women"), "900"]]])
    }

    private static func page(_ text: String) -> DemoAnswer {
        guard let page = Int(text), page > 0 else { return .problem(400, "No such page", "Pages are counted from 1.") }
        return .json([
            "list": [
                ["ver": JSON("\(page).0"), "verDesc": "the first"], ["ver": JSON("\(page).1"), "verDesc": "the second"],
            ]
        ])
    }

    private static var slow: DemoAnswer {
        var answer = DemoAnswer.json(["waited": true])
        answer.delay = .seconds(30)
        return answer
    }
}
#endif
