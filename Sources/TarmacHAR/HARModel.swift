import TarmacCallLog

/// An HTTP Archive 1.2 as it is written. Members that programs leave out or write in other ways are optional, and unknown members are ignored.
struct HARDocument: Codable {
    var log: Log

    struct Log: Codable {
        @Lenient var version: String?
        @Lenient var creator: Creator?
        @Lenient var pages: [Page]?
        var entries: [Lenient<Item>]
    }

    struct Creator: Codable {
        @Lenient var name: String?
        @Lenient var version: String?
    }

    /// Nothing of a page is read, and none is written.
    struct Page: Codable {}

    struct Item: Codable {
        @Lenient var startedDateTime: String?
        @Lenient var time: Double?
        var request: Request
        @Lenient var response: Response?
        @Lenient var cache: Cache?
        @Lenient var timings: Timings?
        @Lenient var serverIPAddress: String?
        @Lenient var comment: String?
        /// Where a response came from that no request got, as Chromium writes it: `memory` or `disk`.
        @Lenient var fromCache: String?
        @Lenient var mark: HARMark?

        enum CodingKeys: String, CodingKey {
            case startedDateTime, time, request, response, cache, timings, serverIPAddress, comment
            case fromCache = "_fromCache"
            case mark = "_tarmac"
        }
    }

    struct Cache: Codable {}

    struct Pair: Codable {
        var name: String
        @Lenient var value: String?
    }

    struct Request: Codable {
        var method: String
        var url: String
        @Lenient var httpVersion: String?
        @Lenient var cookies: [Pair]?
        @Lenient var headers: [Pair]?
        @Lenient var queryString: [Pair]?
        @Lenient var postData: PostData?
        @Lenient var headersSize: Double?
        @Lenient var bodySize: Double?
    }

    struct PostData: Codable {
        @Lenient var mimeType: String?
        @Lenient var text: String?
        @Lenient var encoding: String?
        @Lenient var params: [Pair]?

        enum CodingKeys: String, CodingKey {
            case mimeType, text, params
            // The standard has none for requests.
            case encoding = "_encoding"
        }
    }

    struct Response: Codable {
        @Lenient var status: Int?
        @Lenient var statusText: String?
        @Lenient var httpVersion: String?
        @Lenient var cookies: [Pair]?
        @Lenient var headers: [Pair]?
        @Lenient var content: Content?
        @Lenient var redirectURL: String?
        @Lenient var headersSize: Double?
        @Lenient var bodySize: Double?
        /// The failure in place of a response, as Chromium writes it.
        @Lenient var error: String?

        enum CodingKeys: String, CodingKey {
            case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize
            case error = "_error"
        }
    }

    struct Content: Codable {
        @Lenient var size: Double?
        @Lenient var mimeType: String?
        @Lenient var text: String?
        @Lenient var encoding: String?
    }

    /// In milliseconds; -1 for what does not apply.
    struct Timings: Codable {
        @Lenient var blocked: Double?
        @Lenient var dns: Double?
        @Lenient var connect: Double?
        @Lenient var ssl: Double?
        @Lenient var send: Double?
        @Lenient var wait: Double?
        @Lenient var receive: Double?
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
    /// The URL as it is shown, if that is no URL because a part of it is masked.
    var url: String?
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
