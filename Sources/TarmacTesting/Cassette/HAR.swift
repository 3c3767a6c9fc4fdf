/// The parts of an HTTP Archive 1.2 that a cassette reads and writes. Members with a default are optional when read,
/// and unknown members are ignored, because browsers and proxies differ.
struct HAR: Codable, Sendable {
    var log: Log

    struct Log: Codable, Sendable {
        var version: String? = "1.2"
        var creator: Creator? = Creator()
        var entries: [Entry]
    }

    struct Creator: Codable, Sendable {
        var name: String? = "Tarmac"
        var version: String? = "1"
    }

    struct Entry: Codable, Sendable {
        /// A constant, so that the date of a recording does not change the file.
        var startedDateTime: String? = "1970-01-01T00:00:00.000Z"
        var time: Double? = 0
        var request: Request
        var response: Response
        var cache: Cache? = Cache()
        var timings: Timings? = Timings()
        /// The failure in place of a response or the rest of its body. HAR reserves names with an underscore for its
        /// writers.
        var failure: Failure?

        enum CodingKeys: String, CodingKey {
            case startedDateTime, time, request, response, cache, timings
            case failure = "_failure"
        }
    }

    struct Cache: Codable, Sendable {}

    struct Timings: Codable, Sendable {
        var send: Double? = 0
        var wait: Double? = 0
        var receive: Double? = 0
    }

    struct Failure: Codable, Sendable, Hashable {
        /// The name of an error's code, or `cancelled`.
        var code: String
        var phase: String
    }

    struct Pair: Codable, Sendable, Hashable {
        var name: String
        var value: String
    }

    struct Request: Codable, Sendable {
        var method: String
        var url: String
        var httpVersion: String? = "HTTP/1.1"
        var cookies: [Pair]? = []
        var headers: [Pair]? = []
        var queryString: [Pair]? = []
        var postData: PostData?
        var headersSize: Int? = -1
        var bodySize: Int? = -1

        /// The method and the URL.
        var line: String { "\(method) \(url)" }
    }

    struct PostData: Codable, Sendable, Hashable {
        var mimeType: String? = ""
        /// The body; `nil` if it was sent from a file, a stream or parts.
        var text: String?
        /// `base64` for bytes that are not text; HAR has no field for it.
        var encoding: String?

        enum CodingKeys: String, CodingKey {
            case mimeType, text
            case encoding = "_encoding"
        }
    }

    struct Response: Codable, Sendable {
        /// The status; 0 if there was no response.
        var status: Int
        var statusText: String? = ""
        var httpVersion: String? = "HTTP/1.1"
        var cookies: [Pair]? = []
        var headers: [Pair]? = []
        var content = Content()
        var redirectURL: String? = ""
        var headersSize: Int? = -1
        var bodySize: Int? = -1
    }

    struct Content: Codable, Sendable {
        var size: Int? = 0
        var mimeType: String? = ""
        var text: String?
        /// `base64` for bytes that are not text.
        var encoding: String?
    }
}
