public import HTTPTypes
public import TarmacJSON

/// One HTTP response on its way up the chain. Any status is a value here; only "no response" is thrown.
public struct Response: Sendable {
    /// The status. Changing it above the verdict stage has the response judged anew.
    public var status: HTTPResponse.Status { didSet { verdict = nil } }
    /// The header fields in the order received, repeated ones separate.
    public var headers: HTTPFields
    /// The body: collected for buffered calls, a stream for streamed ones. Changing it above the verdict stage has the
    /// response judged and parsed anew.
    public var body: ResponseBody {
        didSet {
            verdict = nil
            document = nil
        }
    }
    /// The URL that answered, after redirects.
    public var url: HTTPURL
    /// The protocol version, as far as the transport tells.
    public var version: ProtocolVersion?
    /// The trailer fields, as far as the transport tells; complete once the body has ended.
    public var trailers: HTTPFields?
    /// What the verdict stage judged; `nil` below it.
    public var verdict: Verdict?
    /// The body parsed once, when the verdict stage had to.
    public var document: JSONDocument?

    public init(
        status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = .bytes(.empty), url: HTTPURL,
        version: ProtocolVersion? = nil, trailers: HTTPFields? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
        self.version = version
        self.trailers = trailers
    }

    /// The body's media type.
    public var mediaType: MediaType? { MediaType(headers[.contentType]) }

    /// The head and the beginning of a collected body.
    public var snapshot: ResponseSnapshot {
        ResponseSnapshot(
            status: status, headers: headers, body: body.collected ?? .empty, isTruncated: body.collected == nil,
            document: document)
    }
}

/// A response body.
public enum ResponseBody: Sendable {
    case bytes(Bytes)
    case stream(ByteStream)

    /// The bytes, if they are collected.
    public var collected: Bytes? { if case .bytes(let bytes) = self { bytes } else { nil } }
}

/// The version of HTTP spoken.
public struct ProtocolVersion: Hashable, Sendable, CustomStringConvertible {
    public let major: Int
    public let minor: Int
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }
    public static let http1_0 = ProtocolVersion(major: 1, minor: 0)
    public static let http1_1 = ProtocolVersion(major: 1, minor: 1)
    public static let http2 = ProtocolVersion(major: 2, minor: 0)
    public static let http3 = ProtocolVersion(major: 3, minor: 0)
    public var description: String { major >= 2 ? "HTTP/\(major)" : "HTTP/\(major).\(minor)" }
}

extension Response: CustomStringConvertible, CustomReflectable {
    /// Status, number of fields and URL; no values.
    public var description: String { "\(status.code) from \(url), \(headers.count) header fields" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
