import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// One request on the wire, as it was captured.
struct RawAttempt: Sendable {
    /// The values that few attempts have.
    private struct Rare: Sendable {
        var reason: String?
        var failure: CallLog.Failure?
    }

    let number: Int
    var began: Moment
    let request: TarmacCore.Request
    /// The memory of the head of the request, and of the body that it still has.
    private let size, retained: Int
    /// Whether the memory of the body is counted with the request of the caller.
    private let sharesBody: Bool
    var body: RawBody?
    var response: RawResponse?
    var timings: AttemptTimings?
    private var rare: CopyOnWrite<Rare>?

    /// The memory of an attempt without what it refers to.
    private static let bare = 512

    /// - Parameter known: the memory of the caller's body.
    init(_ request: KeptRequest, number: Int, reason: String?, began: Moment, body: RawBody?, known: Int) {
        (self.number, self.began, self.request, self.body) = (number, began, request.request, body ?? request.outline)
        (size, retained) = (request.size, request.retained)
        // The bytes of a copy are shared. The kept part of a longer body is a copy of its own.
        sharesBody = request.retained > 0 && request.retained == known
        if let reason { rare = CopyOnWrite(Rare(reason: reason)) }
    }

    var reason: String? { rare?.value.reason }

    var failure: CallLog.Failure? {
        get { rare?.value.failure }
        set { if newValue != nil || rare != nil { rare = CopyOnWrite(Rare(reason: reason, failure: newValue)) } }
    }

    var kept: Int {
        let bodies = (sharesBody ? 0 : retained) + (body?.kept(besides: retained) ?? 0)
        return Self.bare + size + bodies + (response?.kept ?? 0) + (rare?.value.failure?.kept ?? 0)
    }
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
    /// The memory of the head.
    private let size: Int

    /// - Parameter limit: the number of bytes of the body to keep.
    init(_ response: TarmacCore.Response, limit: Int, source: ResponseSource? = nil) {
        (status, version, headers) = (response.status, response.version, response.headers)
        self.source = source ?? response.source
        size = headers.kept + status.reasonPhrase.utf8.count
        switch response.body {
        case .bytes(let bytes): (isStream, body) = (false, RawBody(bytes, limit: limit))
        case .stream: isStream = true
        }
    }

    var kept: Int { size + (body?.kept ?? 0) }

    /// The memory in addition to that of another response, with which it shares a body that is kept as a whole.
    func kept(besides other: RawResponse?) -> Int {
        guard let body, body.isWhole, let known = other?.body, known.isWhole, body.kept == known.kept else { return kept }
        return size
    }
}

/// The kept part of a body. Behind one reference, because most have no more than a size, and a call is copied with each reading.
struct RawBody: Sendable {
    private final class Content: Sendable {
        let bytes: Bytes?
        let outline: String?

        init(_ bytes: Bytes?, _ outline: String?) { (self.bytes, self.outline) = (bytes, outline) }
    }
    private var content: Content?
    /// Negative if it is not known.
    private var length: Int64 = -1

    var bytes: Bytes? { content?.bytes }
    /// The parts of a body that is not in memory, in words.
    var outline: String? { content?.outline }
    /// The size of the whole body, if it is known.
    var size: Int64? {
        get { length < 0 ? nil : length }
        set { length = newValue ?? -1 }
    }

    var kept: Int {
        guard let content else { return 0 }
        return (content.bytes?.count ?? 0) + (content.outline?.utf8.count ?? 0)
    }

    /// The memory in addition to a request that keeps its whole body, whose bytes are shared unless they were cut off.
    func kept(besides retained: Int) -> Int { retained > 0 && isWhole ? 0 : kept }

    /// Whether all of its bytes are kept.
    var isWhole: Bool { content?.bytes.map { Int64($0.count) == length } ?? false }

    init(bytes: Bytes? = nil, size: Int64? = nil, outline: String? = nil) {
        if bytes != nil || outline != nil { content = Content(bytes, outline) }
        length = size ?? -1
    }

    /// - Parameter limit: the number of bytes to keep. With 0 only the size is kept.
    init(_ bytes: Bytes, limit: Int) {
        // A prefix is copied, so that the rest of the body is released.
        self.init(bytes: limit > 0 ? bytes.prefix(limit) : nil, size: Int64(bytes.count))
    }

    init?(_ body: TarmacCore.Body, limit: Int) {
        switch body.content {
        case .none: return nil
        case .bytes(let bytes): self.init(bytes, limit: limit)
        case .file(let path): self.init(size: body.length, outline: "file \(path)")
        case .stream(let stream): self.init(size: body.length, outline: stream.outline?.joined(separator: "\n"))
        }
    }
}

/// A request without a body that is large or a stream, of which the size is kept. Small bodies stay, because their secrets are masked where
/// a response repeats them.
struct KeptRequest: Sendable {
    let request: TarmacCore.Request
    /// The memory of the head.
    let size: Int
    /// The memory of a body that stays.
    let retained: Int
    /// Describes a body that does not stay.
    let outline: RawBody?

    /// The longest body in which the redactor looks for secrets.
    private static let searchedBody = 65_536

    init(_ request: TarmacCore.Request, isCounted: Bool = true) {
        size = isCounted ? request.headers.kept + request.url.kept : 0
        switch request.body.content {
        case .none: (self.request, retained, outline) = (request, 0, nil)
        case .bytes(let bytes) where bytes.count <= Self.searchedBody: (self.request, retained, outline) = (request, bytes.count, nil)
        case .bytes, .file, .stream:
            var head = request
            head.body = .none
            (self.request, retained, outline) = (head, 0, RawBody(request.body, limit: 0))
        }
    }
}

extension HTTPFields {
    /// The memory of the names and values, and of their places.
    fileprivate var kept: Int { reduce(0) { $0 + 96 + $1.name.rawName.utf8.count + $1.value.utf8.count } }
}

extension HTTPURL {
    fileprivate var kept: Int { path.utf8.count + (query?.utf8.count ?? 0) }
}

extension CallLog.Failure {
    var kept: Int { code.utf8.count + text.utf8.count }
}
