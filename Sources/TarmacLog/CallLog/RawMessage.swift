import HTTPTypes
import TarmacCore

/// One request on the wire, as it was captured.
struct RawAttempt: Sendable {
    let number: Int
    let reason: String?
    let began: Moment
    let request: TarmacCore.Request
    /// The memory of the request.
    let size: Int
    var body: RawBody?
    var response: RawResponse?
    var failure: CallLog.Failure?
    var timings: AttemptTimings?

    /// The memory of an attempt without what it refers to.
    private static let bare = 512

    var kept: Int { Self.bare + size + (body?.kept ?? 0) + (response?.kept ?? 0) + (failure?.kept ?? 0) }
}

/// The head of a response, and the kept part of its body.
struct RawResponse: Sendable {
    let status: HTTPResponse.Status
    let version: ProtocolVersion?
    let headers: HTTPFields
    let source: ResponseSource
    var body: RawBody?
    /// Whether the body is read as a stream.
    let isStream: Bool

    /// - Parameter limit: the number of bytes of the body to keep. `nil` for the head alone.
    init(_ response: TarmacCore.Response, limit: Int?, source: ResponseSource? = nil) {
        (status, version, headers) = (response.status, response.version, response.headers)
        self.source = source ?? response.source
        let bytes = response.body.collected
        isStream = bytes == nil
        if let bytes, let limit { body = RawBody(bytes, limit: limit) }
    }

    var kept: Int { headers.kept + (body?.kept ?? 0) }
}

/// The kept part of a body.
struct RawBody: Sendable {
    var bytes: Bytes?
    /// The size of the whole body, if it is known.
    var size: Int64?
    /// The parts of a body that is not in memory, in words.
    var outline: String?

    var kept: Int { (bytes?.count ?? 0) + (outline?.utf8.count ?? 0) }

    init() {}

    /// - Parameter limit: the number of bytes to keep. With 0 only the size is kept.
    init(_ bytes: Bytes, limit: Int) {
        size = Int64(bytes.count)
        // A prefix is copied, so that the rest of the body is released.
        if limit > 0 { self.bytes = bytes.prefix(limit) }
    }

    init?(_ body: TarmacCore.Body, limit: Int) {
        self.init()
        switch body.content {
        case .none: return nil
        case .bytes(let bytes): self = RawBody(bytes, limit: limit)
        case .file(let path): (size, outline) = (body.length, "file \(path)")
        case .stream(let stream): (size, outline) = (body.length, stream.outline?.joined(separator: "\n"))
        }
    }
}

extension TarmacCore.Request {
    /// The request without a body that is large or a stream, of which the size is kept, and an estimate of its memory. Small bodies stay,
    /// because their secrets are masked where a response repeats them.
    var kept: (request: TarmacCore.Request, size: Int, outline: RawBody?) {
        let size = headers.kept + url.path.utf8.count + (url.query?.utf8.count ?? 0)
        switch body.content {
        case .none: return (self, size, nil)
        case .bytes(let bytes) where bytes.count <= Self.searchedBody: return (self, size + bytes.count, nil)
        case .bytes, .file, .stream:
            var head = self
            head.body = .none
            return (head, size, RawBody(body, limit: 0))
        }
    }

    /// The longest body in which the redactor looks for secrets.
    private static var searchedBody: Int { 65_536 }
}

extension HTTPFields {
    /// An estimate that does not look at the values: most fields are short, and transports limit the size of all of them.
    fileprivate var kept: Int { count * 128 }
}

extension CallLog.Failure {
    var kept: Int { text.utf8.count }
}
