public import HTTPTypes
public import TarmacCore
public import TarmacResumableUpload
import TarmacTransfer

/// The content of an outbox entry: a request without its host and credentials, which are added when it is sent.
///
/// Change it with ``Outbox/edit(_:key:_:)``.
public struct OutboxMutation: Sendable, Equatable {
    /// The endpoint's name.
    public let endpoint: String
    /// The call's ``Options/tags``.
    public let tags: Set<CallTag>
    /// The `Idempotency-Key` of every attempt (draft-ietf-httpapi-idempotency-key-header).
    public internal(set) var idempotencyKey: String
    /// The method.
    public var method: HTTPRequest.Method
    /// The path and query below the service's base URL, such as `/orders?draft=1`; an absolute URL outside the service.
    public var target: String
    /// The host of the service that receives the request.
    public var host: HostKind
    /// The header fields of endpoint and call. Those of client and service, and credentials, are added when it is sent.
    public var headers: HTTPFields
    /// The body's media type.
    public var contentType: String?
    /// The body; empty if it is kept as a file. Setting it replaces the file.
    public var body: Bytes {
        didSet { (file, fields) = (nil, .empty) }
    }
    /// The account that enqueued the entry (``AccessToken/account``). Credentials of another account never send it.
    ///
    /// It is `nil` if no user was logged in, or if logins have no accounts. Such an entry is sent with the account that
    /// is logged in at the time. Set it to `nil` to release an entry to that account. Where no login tells users apart,
    /// ``Options/principal`` does.
    public var account: String?

    /// The parts of the request that are masked in descriptions.
    var secrets = Request.Secrets()
    var hidesPath = false
    /// The body, if it is kept as a file.
    var file: File?
    /// The kind of a resumable upload.
    var upload: Upload?
    /// The stored responses that the call makes stale when it succeeds, in the form of ``MakesStale``.
    var makesStale: [String] = []
    /// The endpoint as JSON; `nil` if the body is that JSON, or if the endpoint is not `Encodable`. Empty if the body was
    /// edited, so that it has the service's form of the endpoint.
    var fields: Bytes?
    /// Whether endpoint or call named the principal, which client and service need not have then.
    var isOwnPrincipal = false

    struct File: Sendable, Equatable {
        /// The size of the body in bytes.
        var size: Int64
        var isSealed: Bool
        /// The sizes that a file can have.
        static let sizes: ClosedRange<Int64> = 0...1 << 50
    }

    struct Upload: Sendable, Equatable {
        var settings: UploadProtocol
        /// The name of the file for the server.
        var name: String
    }

    /// The protocol of a resumable upload; `nil` for a call that sends its body in one request.
    public var uploadProtocol: UploadProtocol? { upload?.settings }
    /// The size in bytes of a body that is kept as a file beside the store; `nil` if the body is in the entry.
    public var fileSize: Int64? { file?.size }
    /// Whether the path holds a secret, so that it must not be shown.
    public var isPathSecret: Bool { hidesPath }

    /// Creates a new idempotency key, quoted if the old one was.
    mutating func mintKey(_ randomness: Randomness) {
        let isQuoted = idempotencyKey.utf8.first == UInt8(ascii: "\"")
        idempotencyKey = isQuoted ? "\"\(randomness.uuid())\"" : randomness.uuid()
    }

    /// Whether any part of the request is marked as a secret.
    var holdsSecrets: Bool { !secrets.names.isEmpty || secrets.isBody || hidesPath }
}

extension OutboxMutation: MaskedReflectable, CustomDebugStringConvertible {
    /// A description with endpoint, method and sizes, and without values.
    public var description: String { "\(endpoint): \(method.rawValue) with \(headers.count) header fields, \(shownBody)" }
    /// A description of the body's size.
    package var shownBody: String { file.map { "a file of \($0.size) bytes" } ?? "\(body)" }
    public var debugDescription: String { description }
}
