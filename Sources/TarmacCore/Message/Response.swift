public import HTTPTypes
public import TarmacJSON

/// One HTTP response on its way up the chain. Any status is a value here; only "no response" is thrown.
public struct Response: Sendable {
    private struct Fields {
        var status: HTTPResponse.Status
        var headers: HTTPFields
        var body: ResponseBody
        var url: HTTPURL
        var version: ProtocolVersion?
        var trailers: HTTPFields?
        var verdict: Verdict?
        var document: JSONDocument?
        var source = ResponseSource.network
        var attachments = Attachments()
        var isDecoded = false
    }
    // One reference: a response is handed from stage to stage far more often than it is changed.
    private var fields: CopyOnWrite<Fields>

    /// The status. Changing it above the verdict stage has the response judged anew.
    public var status: HTTPResponse.Status {
        get { fields.value.status }
        set {
            fields.value.status = newValue
            fields.value.verdict = nil
        }
    }
    /// The header fields in the order received, repeated ones separate.
    public var headers: HTTPFields {
        get { fields.value.headers }
        _modify { yield &fields.value.headers }
    }
    /// The body: collected for buffered calls, a stream for streamed ones. Changing it above the verdict stage has the
    /// response judged and parsed anew.
    public var body: ResponseBody {
        get { fields.value.body }
        set {
            fields.value.body = newValue
            fields.value.verdict = nil
            fields.value.document = nil
        }
    }
    /// The URL that answered, after redirects.
    public var url: HTTPURL {
        get { fields.value.url }
        set { fields.value.url = newValue }
    }
    /// The protocol version, as far as the transport tells.
    public var version: ProtocolVersion? {
        get { fields.value.version }
        set { fields.value.version = newValue }
    }
    /// The trailer fields, as far as the transport tells; complete once the body has ended.
    public var trailers: HTTPFields? {
        get { fields.value.trailers }
        set { fields.value.trailers = newValue }
    }
    /// The judgement of the verdict stage, or `nil` below that stage and after ``invalidateVerdict()``.
    public package(set) var verdict: Verdict? {
        get { fields.value.verdict }
        set { fields.value.verdict = newValue }
    }

    /// Removes the verdict, so that the response is judged again before it lands.
    ///
    /// A change of ``status`` or ``body`` does the same. Call this method after a change of header fields that the verdict
    /// depends on, such as Content-Type.
    public mutating func invalidateVerdict() {
        fields.value.verdict = nil
        fields.value.document = nil
    }

    /// The parsed body, if the verdict stage parsed it.
    public package(set) var document: JSONDocument? {
        get { fields.value.document }
        set { fields.value.document = newValue }
    }

    /// A value that a room attaches for its stages further up.
    public subscript<Value: Attachment>(type: Value.Type) -> Value? {
        get { fields.value.attachments[type] }
        set { fields.value.attachments[type] = newValue }
    }

    /// Where it comes from.
    public package(set) var source: ResponseSource {
        get { fields.value.source }
        set { fields.value.source = newValue }
    }

    /// Whether a content coding was taken off the body. Then its positions are not those of the wire: no Range can complete
    /// it, and no digest of the server's is about it. Set by whoever decodes, so also by a transport that does
    /// (``TransportCapabilities/decodesContent``). Default `false`.
    public var isDecoded: Bool {
        get { fields.value.isDecoded }
        set { fields.value.isDecoded = newValue }
    }

    public init(
        status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = .bytes(.empty), url: HTTPURL,
        version: ProtocolVersion? = nil, trailers: HTTPFields? = nil
    ) {
        fields = CopyOnWrite(Fields(status: status, headers: headers, body: body, url: url, version: version, trailers: trailers))
    }

    /// The body's media type.
    public var mediaType: MediaType? {
        // One look at each field: the lookup by name makes an index first, and joins what it finds.
        var only: String?
        for field in headers where field.name == .contentType {
            if only != nil { return MediaType(headers[.contentType]) }
            only = field.value
        }
        return MediaType(only)
    }

    /// The head and the beginning of a collected body.
    public var snapshot: ResponseSnapshot { snapshot(options: nil) }

    /// The same for errors of a call: what they quote of the body never lies below a name the call hides.
    package func snapshot(options: JSONDocument.Options?) -> ResponseSnapshot {
        ResponseSnapshot(
            status: status, headers: headers, body: body.collected ?? .empty, isTruncated: body.collected == nil,
            document: document, options: options)
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
