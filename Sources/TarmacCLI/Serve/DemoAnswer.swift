#if Tools
import TarmacJSON

/// A request as the demo server's routes see it.
struct DemoRequest: Sendable {
    var method = "GET"
    var path = "/"
    /// Names and values, decoded, in their order.
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []

    func query(_ name: String) -> String? { query.first { $0.name == name }?.value }
    /// Whether the first language of Accept-Language is Chinese; the routes of the tour answer in it.
    var wantsChinese: Bool { header("Accept-Language")?.lowercased().hasPrefix("zh") == true }

    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
}

/// An answer of the demo server.
struct DemoAnswer: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        /// These bytes of a file, made while they are sent; the connection ends after so many, when a number is given.
        case pattern(Range<Int>, breaksAfter: Int? = nil)
        /// One JSON line after the other, in chunked coding.
        case lines(count: Int, interval: Duration)
        /// Server-Sent Events with these numbers as their ids.
        case events(Range<Int>, of: Int, interval: Duration)
    }

    var status = 200
    var headers: [(name: String, value: String)] = []
    var content = Content.bytes([])
    /// How long the server thinks before it answers.
    var delay = Duration.zero

    static func json(_ json: JSON, status: Int = 200) -> DemoAnswer {
        DemoAnswer(status: status, headers: [("Content-Type", "application/json")], content: .bytes(line(json)))
    }

    /// RFC 9457.
    static func problem(_ status: Int, _ title: String, _ detail: String) -> DemoAnswer {
        let json: JSON = ["type": "about:blank", "title": JSON(title), "status": JSON(status), "detail": JSON(detail)]
        return DemoAnswer(status: status, headers: [("Content-Type", "application/problem+json")], content: .bytes(line(json)))
    }

    private static func line(_ json: JSON) -> [UInt8] { ((try? json.bytes()) ?? []) + [UInt8(ascii: "\n")] }
}
#endif
