#if Tools
import TarmacJSON

/// The demo server's answer to each request (pure).
enum DemoRoutes {
    static let index = own + SeedRoutes.index

    private static let own: [(route: String, what: String)] = [
        ("GET /users/{id}", "a user, to be kept for a minute; ids from 1 to 100, any other is a 404 with problem details"),
        ("POST /login", "a token for the password \"runway\"; any other is a 401 with problem details"),
        ("GET /{shop|weather}/{production|test}/where", "which service in which environment answered"),
        ("GET /slow?ms=2000", "an answer after a while"),
        ("GET /status/{code}", "that status"),
        ("GET /redirect/{n}", "n redirects, then an answer"),
        ("GET /gzip", "an answer in gzip"),
        ("GET /image", "a picture of four pixels"),
        ("GET /bytes/{n}?breaks=true", "n bytes, or those a Range names; with breaks the whole breaks off half way"),
        ("GET /cdn/…", "the same as GET /…"),
        ("GET /stream?lines=5&ms=200", "a line of JSON after the other"),
        ("GET /events?count=5&ms=1000", "one event after the other, those after Last-Event-ID; 204 when there is no other"),
        ("ANY /echo", "what was sent"),
    ]

    static func answer(_ request: DemoRequest) -> DemoAnswer {
        let parts = request.path.split(separator: "/").map(String.init)
        switch (request.method, parts.first, parts.count) {
        case (_, "echo", 1): return echo(request)
        case ("POST", "login", 1): return login(request)
        case (_, "seeds", _): return SeedRoutes.answer(request, Array(parts.dropFirst()))
        case ("GET", "cdn", _), ("HEAD", "cdn", _): return read(request, Array(parts.dropFirst()))
        case ("GET", _, _), ("HEAD", _, _): return read(request, parts)
        default: return .problem(405, "Method Not Allowed", "\(request.method) is not possible on \(request.path).")
        }
    }

    private static func read(_ request: DemoRequest, _ parts: [String]) -> DemoAnswer {
        switch (parts.first, parts.count) {
        case (nil, _): home
        case ("users", 2): user(request, parts[1])
        case ("slow", 1): slow(request)
        case ("status", 2): status(parts[1])
        case ("redirect", 2): redirect(parts[1])
        case ("gzip", 1): gzip
        case ("image", 1): image
        case ("bytes", 2): bytes(request, parts[1])
        case ("stream", 1): stream(request)
        case ("events", 1): events(request)
        case (_, 3) where parts[2] == "where": .json(["service": JSON(parts[0]), "environment": JSON(parts[1])])
        default: .problem(404, "Not Found", "There is nothing at \(request.path). GET / lists what there is.")
        }
    }

    // MARK: Routes

    private static var home: DemoAnswer {
        var json: JSON = [:]
        for entry in index { json[entry.route] = JSON(entry.what) }
        return .json(json)
    }

    private static let names = ["Ann", "Bo", "Chen", "Dana", "Emil", "Fatima", "Goro", "Hana"]

    private static func user(_ request: DemoRequest, _ text: String) -> DemoAnswer {
        guard let id = Int(text), (1...100).contains(id) else {
            if request.wantsChinese { return .problem(404, "用户不存在", "没有用户 \(text)，用户的 id 为 1 到 100。") }
            return .problem(404, "No such user", "There is no user \(text). Users have the ids 1 to 100.")
        }
        var answer = DemoAnswer.json(["id": JSON(id), "name": JSON(names[id % names.count]), "role": "pilot"])
        answer.headers.append(("Cache-Control", "max-age=60"))
        return answer
    }

    private static func login(_ request: DemoRequest) -> DemoAnswer {
        guard let json = try? JSONDocument(request.body).root, let name = json["name"].string else {
            return .problem(400, "Bad login", "Send JSON with name and password.")
        }
        guard json["password"].string == "runway" else {
            return .problem(401, "Wrong password", "The password of \(name) is not right.")
        }
        var answer = DemoAnswer.json(["token": JSON("demo-\(name)")])
        answer.delay = .milliseconds(50)
        return answer
    }

    private static func slow(_ request: DemoRequest) -> DemoAnswer {
        let milliseconds = clamped(request.query("ms"), 0...60_000, default: 2_000)
        var answer = DemoAnswer.json(["waited": JSON(milliseconds)])
        answer.delay = .milliseconds(milliseconds)
        return answer
    }

    private static func status(_ text: String) -> DemoAnswer {
        guard let code = Int(text), (200...599).contains(code) else {
            return .problem(400, "No such status", "Statuses go from 200 to 599.")
        }
        // RFC 9110 §6.4.1: these have no content.
        if code == 204 || code == 304 { return DemoAnswer(status: code) }
        return code < 400 ? .json(["status": JSON(code)], status: code) : .problem(code, "As asked", "You asked for a \(code).")
    }

    private static func redirect(_ text: String) -> DemoAnswer {
        guard let left = Int(text), left >= 0 else { return .problem(400, "Bad number", "\(text) is not a number of redirects.") }
        if left == 0 { return .json(["landed": true]) }
        return DemoAnswer(status: 302, headers: [("Location", "/redirect/\(left - 1)")])
    }

    private static var gzip: DemoAnswer {
        let plain = DemoAnswer.json(["compressed": true, "text": "This body came in gzip."])
        guard case .bytes(let bytes) = plain.content else { return plain }
        return DemoAnswer(headers: plain.headers + [("Content-Encoding", "gzip")], content: .bytes(StoredGzip.member(bytes)))
    }

    /// A PNG of two by two pixels.
    private static var image: DemoAnswer {
        DemoAnswer(headers: [("Content-Type", "image/png")], content: .bytes(picture))
    }

    private static let picture: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
        0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0xFD, 0xD4, 0x9A,
        0x73, 0x00, 0x00, 0x00, 0x13, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0xF8, 0xBF, 0xDF, 0x5D,
        0x40, 0x58, 0x90, 0x01, 0x88, 0x81, 0x2C, 0x00, 0x20, 0x9A, 0x04, 0x73, 0x6E, 0xD4, 0xFB, 0x1D,
        0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]

    private static func bytes(_ request: DemoRequest, _ text: String) -> DemoAnswer {
        guard let count = Int(text), (0...(4 << 30)).contains(count) else {
            return .problem(400, "Bad number", "\(text) is not a number of bytes from 0 to 4 GiB.")
        }
        return DemoFile(count: count, type: "application/octet-stream").answer(request)
    }

    private static func stream(_ request: DemoRequest) -> DemoAnswer {
        DemoAnswer(
            headers: [("Content-Type", "application/x-ndjson")],
            content: .lines(
                count: clamped(request.query("lines"), 0...10_000, default: 5),
                interval: .milliseconds(clamped(request.query("ms"), 0...10_000, default: 200))))
    }

    /// A client that comes back hears what it has not heard yet, and then that it need not come back (HTML, server-sent events).
    private static func events(_ request: DemoRequest) -> DemoAnswer {
        let count = clamped(request.query("count"), 0...10_000, default: 5)
        let heard = clamped(request.header("Last-Event-ID"), 0...count, default: 0)
        if heard == count { return DemoAnswer(status: 204) }
        return DemoAnswer(
            headers: [("Content-Type", "text/event-stream")],
            content: .events(heard + 1..<count + 1, of: count, interval: .milliseconds(clamped(request.query("ms"), 0...10_000, default: 1_000))))
    }

    private static func echo(_ request: DemoRequest) -> DemoAnswer {
        var query: JSON = [:]
        for item in request.query { query[item.name] = JSON(item.value) }
        var headers: JSON = [:]
        for field in request.headers { headers[field.name] = JSON(field.value) }
        var json: JSON = ["method": JSON(request.method), "path": JSON(request.path), "query": query, "headers": headers]
        if let body = try? JSONDocument(request.body).root {
            json["json"] = body
        } else if !request.body.isEmpty {
            json["text"] = JSON(String(decoding: request.body, as: UTF8.self))
        }
        return .json(json)
    }

    private static func clamped(_ text: String?, _ range: ClosedRange<Int>, default standard: Int) -> Int {
        min(max(text.flatMap(Int.init) ?? standard, range.lowerBound), range.upperBound)
    }
}

/// gzip without compression: a stored block (RFC 1951 §3.2.4) in a member (RFC 1952). It shows that the coding is undone.
enum StoredGzip {
    /// - Parameter bytes: 65,535 at most.
    static func member(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt16(bytes.count)
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1]
        return header + little(length) + little(~length) + bytes + little(checksum(bytes)) + little(UInt32(bytes.count))
    }

    private static func little<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }
}
#endif
