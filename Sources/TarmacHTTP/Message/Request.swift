public import HTTPTypes

/// An HTTP request for interceptors and transports. It is complete, and nothing is sent yet.
public struct Request: Sendable {
    private struct Fields {
        var method: HTTPRequest.Method
        var url: HTTPURL
        var headers: HTTPFields
        var body: Body
        var secrets = Secrets()
        var sending = Sending()
        var attachments = Attachments()
    }
    // The fields are behind one reference, because stages pass a request on far more often than they change it.
    private var fields: CopyOnWrite<Fields>

    /// The method.
    public var method: HTTPRequest.Method {
        get { fields.value.method }
        set { fields.value.method = newValue }
    }
    /// The absolute URL.
    public var url: HTTPURL {
        get { fields.value.url }
        set { fields.value.url = newValue }
    }
    /// The header fields.
    ///
    /// Content-Length and Transfer-Encoding follow from the body. A request that sets them fails with
    /// `TarmacError(.unsupported)`. So does a request that sets Host, if the transport can send only the host
    /// of the URL.
    public var headers: HTTPFields {
        get { fields.value.headers }
        _modify { yield &fields.value.headers }
    }
    /// The body.
    public var body: Body {
        get { fields.value.body }
        set { fields.value.body = newValue }
    }
    /// The parameters that are secret in this call, in addition to those that are always secret.
    package var secrets: Secrets {
        get { fields.value.secrets }
        set { fields.value.secrets = newValue }
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

    /// Conditions for sending the request, which the stages for retry, parameters, encryption and signing set
    /// for the transport.
    package var sending: Sending {
        get { fields.value.sending }
        set { fields.value.sending = newValue }
    }

    public init(_ method: HTTPRequest.Method = .get, _ url: HTTPURL, headers: HTTPFields = [:], body: Body = .none) {
        fields = CopyOnWrite(Fields(method: method, url: url, headers: headers, body: body))
    }

    /// Makes a request to a URL that is a string. For other methods use `HTTPRequest.Method("PURGE")`, which is `nil` for an invalid name.
    ///
    /// - Throws: `TarmacError(.invalidURL)` with the reason why the URL is not valid.
    public init(_ method: HTTPRequest.Method, _ url: String, headers: HTTPFields = [:], body: Body = .none) throws(TarmacError) {
        self.init(method, try HTTPURL(url), headers: headers, body: body)
    }

    /// Whether the method is safe: it changes nothing on the server (RFC 9110 §9.2.1).
    public var isSafe: Bool { method == .get || method == .head || method == .options || method == .trace }

    /// Whether the method is idempotent: two requests have the effect of one (RFC 9110 §9.2.2).
    public var isIdempotent: Bool { isSafe || method == .put || method == .delete }
}

extension Request {
    /// Conditions for sending the bytes of a request. Code that derives a request from another one copies them.
    package struct Sending: Sendable, Equatable {
        /// Whether the request must not be sent again after a connection failure. A signed or encrypted message
        /// has a nonce, and a server that receives it twice takes it for a replay.
        package var isOnce = false
        /// Whether the request needs a new connection, because the last one was stale or led to the wrong
        /// server.
        package var isFresh = false
    }

    /// The parts of a request that are masked wherever it is shown.
    package struct Secrets: Sendable, Equatable {
        package var names: Set<String> = []
        /// The names that the call shows although their words say that they are secret.
        package var shown: Set<String> = []
        /// Whether the whole body is a secret.
        package var isBody = false

        package init(names: Set<String> = [], shown: Set<String> = [], isBody: Bool = false) {
            self.names = names
            self.shown = shown
            self.isBody = isBody
        }
    }
}

extension Request: MaskedReflectable {
    /// The method and the URL without query values.
    public var description: String { "\(method.rawValue) \(url)" }
}
