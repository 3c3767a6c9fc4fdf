public import HTTPTypes
public import TarmacCore

/// What an entry of an outbox sends: all of a request but the host and the credentials, which it gets when it is sent.
///
/// Edit it with ``Outbox/edit(_:key:_:)``.
public struct OutboxMutation: Sendable, Equatable {
    /// The endpoint's name.
    public let endpoint: String
    /// The call's ``Options/tags``.
    public let tags: Set<CallTag>
    /// The `Idempotency-Key` of every attempt (draft-ietf-httpapi-idempotency-key-header).
    public internal(set) var idempotencyKey: String
    /// The method.
    public var method: HTTPRequest.Method
    /// Path and query below the service's base URL, such as `/orders?draft=1`; a whole URL for one outside of the service.
    public var target: String
    /// The service's host it goes to.
    public var host: HostKind
    /// The header fields of endpoint and call. Those of client and service, and credentials, are added when it is sent.
    public var headers: HTTPFields
    /// The body's media type.
    public var contentType: String?
    /// The body; empty for one that is kept as a file. Setting it takes the place of the file.
    public var body: Bytes {
        didSet { file = nil }
    }
    /// The account it was enqueued under (``AccessToken/account``): it is sent with no other's credentials. `nil` when nobody was
    /// logged in, or where logins have no accounts: then it goes with whoever is. Set it to `nil` to give it to whoever is logged in.
    public var account: String?

    /// What of it is masked wherever it is shown.
    var secrets = Request.Secrets()
    var hidesPath = false
    /// The body that is kept as a file.
    var file: File?

    struct File: Sendable, Equatable {
        /// The body's, in bytes.
        var size: Int64
        var isSealed: Bool
    }

    /// The size in bytes of a body that is kept as a file beside the store; `nil` for one in the entry.
    public var fileSize: Int64? { file?.size }
    /// Whether a secret stands in the path, so that it is not to be shown.
    public var isPathSecret: Bool { hidesPath }

    /// Quoted if the one before was.
    mutating func mintKey(_ randomness: Randomness) {
        let isQuoted = idempotencyKey.utf8.first == UInt8(ascii: "\"")
        idempotencyKey = isQuoted ? "\"\(randomness.uuid())\"" : randomness.uuid()
    }

    /// Whether anything in it was marked as a secret.
    var holdsSecrets: Bool { !secrets.names.isEmpty || secrets.isBody || hidesPath }
}

extension OutboxMutation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Endpoint, method and sizes; no value.
    public var description: String { "\(endpoint): \(method.rawValue) with \(headers.count) header fields, \(shownBody)" }
    /// Its size.
    package var shownBody: String { file.map { "a file of \($0.size) bytes" } ?? "\(body)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
