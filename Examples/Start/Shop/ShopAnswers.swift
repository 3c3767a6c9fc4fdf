import TarmacTesting

/// What the server answers.
enum ShopAnswers {
    typealias Step = ServerScript.Step

    static func steps(for request: RecordedRequest) -> [Step] {
        switch (request.method, request.path) {
        case ("GET", "/users/7"): [json(#"{"id":7,"name":"ann"}"#)]
        case ("GET", "/users/8"): [json(#"{"id":8,"name":"bea"}"#)]
        case ("GET", "/search"): [json(#"[{"title":"cup"},{"title":"cup, large"}]"#)]
        case ("POST", "/orders"): [json(#"{"id":41,"state":"open"}"#, status: 201)]
        case ("GET", "/slow"): [.stall]
        case ("POST", "/login"): [json(#"{"token":"first","refreshToken":"r1"}"#)]
        case ("POST", "/refresh"): [json(#"{"token":"second","refreshToken":"r2"}"#)]
        case ("GET", "/basket"): [json(#"{"status":0,"code":50021,"message":"The cup is sold out.","data":null}"#)]
        case ("GET", "/me"), ("GET", "/orders"): [account(request)]
        case ("GET", "/flaky"): [flaky()]
        case ("GET", "/feed"): [feed(request)]
        case ("GET", "/video"): video(request)
        case ("POST", "/photos"): [json(#"{"id":1,"bytes":\#(request.bodyLength)}"#, status: 201)]
        default: [json(#"{"reason":"nothing is at \#(request.path)"}"#, status: 404)]
        }
    }

    private static func json(_ text: String, status: Int = 200, headers: [(String, String)] = []) -> Step {
        .reply(status, headers: [("Content-Type", "application/json")] + headers, text)
    }

    /// The first token has expired from the beginning, and the second one is valid.
    private static func account(_ request: RecordedRequest) -> Step {
        guard request.values("Authorization") == ["Bearer second"] else {
            return json(#"{"reason":"the token has expired"}"#, status: 401)
        }
        return request.path == "/me" ? json(#"{"id":7,"name":"ann"}"#) : json(#"[{"id":41,"state":"open"}]"#)
    }

    /// The first request fails.
    private static func flaky() -> Step {
        ShopServer.count(of: "/flaky") == 1 ? json(#"{"reason":"busy"}"#, status: 503) : json(#"{"id":7,"name":"ann"}"#)
    }

    /// A feed that is fresh for a minute. Its connection is closed, so that `goDown` takes effect at once.
    private static func feed(_ request: RecordedRequest) -> Step {
        let fields = [("Cache-Control", "max-age=60"), ("ETag", #""v1""#), ("Connection", "close")]
        if request.values("If-None-Match") == [#""v1""#] { return .reply(304, headers: fields) }
        return json(#"["cup","plate"]"#, headers: fields)
    }

    /// A file of 200,000 bytes. The connection breaks in the middle of the first response.
    private static func video(_ request: RecordedRequest) -> [Step] {
        let size = 200_000
        let fields = "Content-Type: video/mp4\r\nETag: \"v1\"\r\nAccept-Ranges: bytes\r\n"
        guard let range = request.values("Range").first, let start = Int(range.dropFirst("bytes=".count).prefix { $0 != "-" }) else {
            return [.write("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(size)\r\n\r\n"), .fill(7, count: size / 2), .close]
        }
        let head = "Content-Range: bytes \(start)-\(size - 1)/\(size)\r\nContent-Length: \(size - start)\r\n\r\n"
        return [.write("HTTP/1.1 206 Partial Content\r\n\(fields)\(head)"), .fill(7, count: size - start)]
    }
}
