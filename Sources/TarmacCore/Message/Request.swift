public import HTTPTypes

/// One HTTP request as interceptors and transports see it: everything resolved, nothing sent yet.
public struct Request: Sendable {
    private struct Fields {
        var method: HTTPRequest.Method
        var url: HTTPURL
        var headers: HTTPFields
        var body: Body
        var secrets = Secrets()
        var sending = Sending()
        var transferKey: String?
        var expects = ExpectedAnswers()
        var attachments = Attachments()
    }
    // One reference: a request is handed from stage to stage far more often than it is changed.
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
    /// The header fields. Content-Length and Transfer-Encoding follow from the body, and setting them is refused with
    /// `TarmacError(.unsupported)`; so is Host where the transport cannot send another than the URL's.
    public var headers: HTTPFields {
        get { fields.value.headers }
        _modify { yield &fields.value.headers }
    }
    /// The body.
    public var body: Body {
        get { fields.value.body }
        set { fields.value.body = newValue }
    }
    /// Parameters that are secret in this call, besides those that always are.
    package var secrets: Secrets {
        get { fields.value.secrets }
        set { fields.value.secrets = newValue }
    }

    /// A value that a room attaches for its stages further on.
    public subscript<Value: Attachment>(type: Value.Type) -> Value? {
        get { fields.value.attachments[type] }
        set { fields.value.attachments[type] = newValue }
    }

    /// From RETRY, PARAMETERS, ENCRYPT or SIGN to the transport.
    package var sending: Sending {
        get { fields.value.sending }
        set { fields.value.sending = newValue }
    }

    /// From a download to the transport: what the ledger knows it by. `nil` without a ledger.
    package var transferKey: String? {
        get { fields.value.transferKey }
        set { fields.value.transferKey = newValue }
    }

    /// Answers that are a success although the caller has not asked for them.
    package var expects: ExpectedAnswers {
        get { fields.value.expects }
        set { fields.value.expects = newValue }
    }

    public init(_ method: HTTPRequest.Method = .get, _ url: HTTPURL, headers: HTTPFields = [:], body: Body = .none) {
        fields = CopyOnWrite(Fields(method: method, url: url, headers: headers, body: body))
    }

    /// Safe methods change nothing on the server (RFC 9110 §9.2.1).
    public var isSafe: Bool { Self.safeMethods.contains(method.rawValue) }

    /// Idempotent methods may be sent twice with the effect of once (RFC 9110 §9.2.2).
    public var isIdempotent: Bool { isSafe || method == .put || method == .delete }

    private static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE"]
}

extension Request {
    /// How these very bytes may go on the wire. Who makes another request of one hands it on.
    package struct Sending: Sendable, Equatable {
        /// Not again where the connection alone was at fault: what was signed or sealed has a nonce, and who sees it again takes it
        /// for a replay.
        package var isOnce = false
        /// On a connection that has carried nothing before: the last one was stale, or led to the wrong server.
        package var isFresh = false
    }

    /// Answers that a stage has asked for, and that the caller does not know of.
    package struct ExpectedAnswers: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// 206: a stage asks for a part of a body that the caller wants whole.
        package static let part = ExpectedAnswers(rawValue: 1)
        /// 304: a stage asks whether a stored answer is still good.
        package static let notModified = ExpectedAnswers(rawValue: 2)
    }

    /// What of a request is masked wherever it is shown.
    package struct Secrets: Sendable, Equatable {
        package var names: Set<String> = []
        /// Whether the body is a secret as a whole.
        package var isBody = false

        package init(names: Set<String> = [], isBody: Bool = false) {
            self.names = names
            self.isBody = isBody
        }
    }
}

extension Request: CustomStringConvertible, CustomReflectable {
    /// Method and URL without query values.
    public var description: String { "\(method.rawValue) \(url)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
