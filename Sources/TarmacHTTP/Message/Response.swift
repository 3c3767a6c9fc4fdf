public import HTTPTypes
package import TarmacJSON

/// An HTTP response on its way from the transport to the caller. Every status is a value here; only a missing response is an error.
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
        var reading: ResponseReading?
        var source = ResponseSource.network
        var attachments = Attachments()
        var isDecoded = false
    }
    // The fields are behind one reference, because stages pass a response on far more often than they change it.
    private var fields: CopyOnWrite<Fields>

    /// The status. A change above the verdict stage causes a new verdict.
    public var status: HTTPResponse.Status {
        get { fields.value.status }
        set {
            fields.value.status = newValue
            fields.value.verdict = nil
        }
    }
    /// The header fields in the order of arrival. Repeated fields are separate.
    public var headers: HTTPFields {
        get { fields.value.headers }
        _modify { yield &fields.value.headers }
    }
    /// The body: collected for buffered calls, a stream for streamed calls. A change above the verdict stage causes a new verdict and a new parse.
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
    /// The protocol version, or `nil` if the transport does not report it.
    public var version: ProtocolVersion? {
        get { fields.value.version }
        set { fields.value.version = newValue }
    }
    /// The trailer fields, or `nil` if the transport does not report them. They are complete once the body has ended.
    public var trailers: HTTPFields? {
        get { fields.value.trailers }
        set { fields.value.trailers = newValue }
    }
    /// The judgement of the verdict stage, or `nil` below that stage and after a change of status or body.
    package var verdict: Verdict? {
        get { fields.value.verdict }
        set { fields.value.verdict = newValue }
    }

    /// The parsed body, if the verdict stage parsed it.
    package var document: JSONDocument? {
        get { fields.value.document }
        set { fields.value.document = newValue }
    }

    /// How the call reads the body, once the verdict stage has seen the response.
    package var reading: ResponseReading? {
        get { fields.value.reading }
        set { fields.value.reading = newValue }
    }

    /// A value that a module attaches for its later stages.
    @_spi(TarmacRooms) @inlinable public subscript<Value: Attachment>(type: Value.Type) -> Value? {
        get { attachments[type] }
        set { attachments[type] = newValue }
    }

    @usableFromInline var attachments: Attachments {
        get { fields.value.attachments }
        _modify { yield &fields.value.attachments }
    }

    /// The source of the response.
    public package(set) var source: ResponseSource {
        get { fields.value.source }
        set { fields.value.source = newValue }
    }

    /// Whether a content coding was removed from the body. Default: `false`.
    ///
    /// If it was, byte positions differ from those on the wire: a Range request cannot complete the body, and a digest of the server does not apply
    /// to it. The code that decodes the body sets the value; that may be the transport (``TransportCapabilities/decodesContent``).
    @_spi(TarmacRooms) public var isDecoded: Bool {
        get { fields.value.isDecoded }
        set { fields.value.isDecoded = newValue }
    }

    public init(
        status: HTTPResponse.Status, headers: HTTPFields = [:], body: ResponseBody = .bytes(.empty), url: HTTPURL,
        version: ProtocolVersion? = nil, trailers: HTTPFields? = nil
    ) {
        fields = CopyOnWrite(Fields(status: status, headers: headers, body: body, url: url, version: version, trailers: trailers))
    }

    /// The media type of the body.
    package var mediaType: MediaType? {
        // A loop over the fields is faster: the lookup by name builds an index first and joins the values.
        var only: String?
        for field in headers where field.name == .contentType {
            if only != nil { return MediaType(headers[.contentType]) }
            only = field.value
        }
        return MediaType(only)
    }

    /// The head and the beginning of a collected body.
    package var snapshot: ResponseSnapshot { snapshot(options: nil) }

    /// Returns the snapshot for errors of a call. Their texts never quote a value below a name that the call masks.
    package func snapshot(options: JSONDocument.Options?, decoder: (any Sendable)? = nil) -> ResponseSnapshot {
        ResponseSnapshot(
            status: status, headers: headers, body: body.collected ?? .empty, isTruncated: body.collected == nil,
            document: document, options: options ?? reading?.options, decoder: decoder ?? reading?.decoder)
    }
}

/// The settings with which a call reads what a server sent. They stay with the response.
package final class ResponseReading: Sendable {
    /// A `BodyDecoder`. The folder of the decoders is above the messages, so the type is not named here.
    let decoder: any Sendable
    let options: JSONDocument.Options
    package init(_ decoder: any Sendable, _ options: JSONDocument.Options) { (self.decoder, self.options) = (decoder, options) }
}

/// A response body.
public enum ResponseBody: Sendable {
    case bytes(Bytes)
    case stream(ByteStream)

    /// The bytes, if they are collected.
    public var collected: Bytes? { if case .bytes(let bytes) = self { bytes } else { nil } }
}

extension Response: MaskedReflectable {
    /// The status, the number of fields and the URL, without values.
    public var description: String { "\(status.code) from \(url), \(headers.count) header fields" }
}
