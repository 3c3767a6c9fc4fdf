/// An HTTP Archive 1.2 as it is written. Members that programs leave out are optional, and unknown members are ignored.
struct HARDocument: Codable {
    var log: Log

    struct Log: Codable {
        var version: String?
        var creator: Creator?
        var pages: [Page]?
        var entries: [Item]
    }

    struct Creator: Codable {
        var name: String?
        var version: String?
    }

    /// Nothing of a page is read, and none is written.
    struct Page: Codable {}

    struct Item: Codable {
        var startedDateTime: String?
        var time: Double?
        var request: Request
        var response: Response?
        var cache: Cache?
        var timings: Timings?
        var serverIPAddress: String?
        var comment: String?
        /// Where a response came from that no request got, as Chromium writes it.
        var fromCache: String?
        var mark: HARMark?

        enum CodingKeys: String, CodingKey {
            case startedDateTime, time, request, response, cache, timings, serverIPAddress, comment
            case fromCache = "_fromCache"
            case mark = "_tarmac"
        }
    }

    struct Cache: Codable {}

    struct Pair: Codable {
        var name: String
        var value: String?
    }

    struct Request: Codable {
        var method: String
        var url: String
        var httpVersion: String?
        var cookies: [Pair]?
        var headers: [Pair]?
        var queryString: [Pair]?
        var postData: PostData?
        var headersSize: Double?
        var bodySize: Double?
    }

    struct PostData: Codable {
        var mimeType: String?
        var text: String?
        var encoding: String?
        var params: [Pair]?

        enum CodingKeys: String, CodingKey {
            case mimeType, text, params
            // The standard has none for requests.
            case encoding = "_encoding"
        }
    }

    struct Response: Codable {
        var status: Int
        var statusText: String?
        var httpVersion: String?
        var cookies: [Pair]?
        var headers: [Pair]?
        var content: Content?
        var redirectURL: String?
        var headersSize: Double?
        var bodySize: Double?
        /// The failure in place of a response, as Chromium writes it.
        var error: String?

        enum CodingKeys: String, CodingKey {
            case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize
            case error = "_error"
        }
    }

    struct Content: Codable {
        var size: Double?
        var mimeType: String?
        var text: String?
        var encoding: String?
    }

    /// In milliseconds; -1 for what does not apply.
    struct Timings: Codable {
        var blocked: Double?
        var dns: Double?
        var connect: Double?
        var ssl: Double?
        var send: Double?
        var wait: Double?
        var receive: Double?
    }
}

/// The custom member of an entry: what the standard has no place for.
struct HARMark: Codable {
    /// The call without its attempts, in the first entry of each call.
    var call: CallLog.Entry?
    /// The number of the call in its log.
    var id: UInt64
    /// Whether the request of the call is that of its first entry, and the response that of its last.
    var sharesRequest: Bool?
    var sharesResponse: Bool?
    /// `nil` for a call that sent no request.
    var attempt: AttemptPart?
    var requestBody: BodyPart?
    var response: ResponsePart?
    /// The outcome in words: `landed`, `failed: timeout`, …
    var outcome: String

    struct AttemptPart: Codable {
        var number: Int
        var reason: String?
        var start: Milliseconds
        var failure: CallLog.Failure?
        var timings: CallLog.Timings?
    }

    struct ResponsePart: Codable {
        var version: String?
        var source: String?
        var body: BodyPart?
    }

    struct BodyPart: Codable {
        var mediaType: String?
        var size: Int64?
        var isTruncated: Bool
    }
}
