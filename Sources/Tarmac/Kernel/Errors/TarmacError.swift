public import HTTPTypes

/// What comes out of Tarmac when a call fails; besides it only `CancellationError` does.
///
/// `description` is safe to log: it holds no header value, no body and no query value that may be a secret.
///
/// ```swift
/// do { try await client.send(GetUser(id: 7)) } catch let error as TarmacError {
///     if error.code == .unacceptableStatus { show(error.userMessage) }
/// }
/// ```
public struct TarmacError: Error, Sendable {
    private var storage: Storage

    private struct Fields: Sendable {
        var code: Code
        var phase: Phase
        var reason: String
        var suggestion: String?
        var cause: (any Error)?
        var context: Context?
        var response: ResponseSnapshot?
        var path: String?
        var serverCode: String?
        var serverMessage: String?
        var userMessage: String?
        var members: [Member] = []
        var unmapped: TarmacError?
    }

    // One pointer wide, so that throwing functions stay cheap.
    private final class Storage: Sendable {
        let fields: Fields
        init(_ fields: Fields) { self.fields = fields }
    }

    private func with<Value>(_ field: WritableKeyPath<Fields, Value>, _ value: Value) -> TarmacError {
        var fields = storage.fields
        fields[keyPath: field] = value
        return TarmacError(storage: Storage(fields))
    }

    private init(storage: Storage) { self.storage = storage }

    /// An error to throw from an interceptor, transport, transform or test.
    ///
    /// - Parameters:
    ///   - reason: what happened, naming the input; no secrets.
    ///   - suggestion: what to try.
    ///   - cause: the error underneath, found again by ``cause(as:)``.
    ///   - path: the JSON path or parameter name at fault.
    public init(
        _ code: Code, phase: Phase = .building, _ reason: String = "", suggestion: String? = nil,
        cause: (any Error)? = nil, path: String? = nil
    ) {
        storage = Storage(
            Fields(
                code: code, phase: phase, reason: reason, suggestion: suggestion, cause: cause, path: path))
    }

    /// What went wrong.
    public var code: Code { storage.fields.code }
    /// How far the call had come.
    public var phase: Phase { storage.fields.phase }
    /// What happened, in one English sentence.
    public var reason: String { storage.fields.reason }
    /// What to try, when Tarmac has an idea.
    public var suggestion: String? { storage.fields.suggestion }
    /// Which call it was; `nil` only before the client has filled it in.
    public var context: Context? { storage.fields.context }
    /// The endpoint's name.
    public var endpoint: String? { context?.endpoint }
    /// How many requests were sent, redirects, repeats and failovers included; 0 when nothing was. What a transport sends again
    /// by itself on a fresh connection counts apart, in ``Context/resends``.
    public var attempts: Int { context?.attempts ?? 0 }
    /// What went wrong with each attempt of a call with a ``RetryRule``, in order; empty for others.
    public var failedAttempts: [FailedAttempt] { context?.failedAttempts ?? [] }
    /// The head and the first bytes of the body the server answered with, if it answered.
    public var response: ResponseSnapshot? { storage.fields.response }
    /// The answer's status, if the server answered.
    public var status: HTTPResponse.Status? { response?.status }
    /// The JSON path or parameter name at fault.
    public var path: String? { storage.fields.path }
    /// The code the server's envelope or problem details carry.
    public var serverCode: String? { storage.fields.serverCode }
    /// The message the server's envelope or problem details carry; `nil` also for a blank one.
    public var serverMessage: String? { storage.fields.serverMessage }

    /// Where in batches, chains and graphs the call stood, the outermost first; empty for a call on its own.
    public var members: [Member] { storage.fields.members }

    /// The error underneath, if it is of the given type: what a user's reformer threw, a `DecodingError`, a transport's own.
    public func cause<Cause>(as type: Cause.Type = Cause.self) -> Cause? {
        var current = storage.fields.cause
        while let error = current {
            if let match = error as? Cause { return match }
            current = (error as? TarmacError)?.storage.fields.cause ?? (error as? DecodingError)?.place
        }
        return nil
    }

    /// The error underneath.
    public var cause: (any Error)? { storage.fields.cause }

    /// A sentence for the user of the app: the server's message first, else one in English or simplified Chinese after
    /// the process's language. Replace it in a `mapError` hook with ``with(userMessage:)``.
    public var userMessage: String {
        storage.fields.userMessage ?? serverMessage ?? UserMessages.text(for: self, language: UserMessages.systemLanguage)
    }

    /// The sentence for the user of the app in a given language; a replaced or a server's message wins.
    public func userMessage(in language: UserMessageLanguage) -> String {
        storage.fields.userMessage ?? serverMessage ?? UserMessages.text(for: self, language: language)
    }

    /// The same error with another sentence for the user.
    public func with(userMessage: String) -> TarmacError { with(\.userMessage, userMessage) }
    /// The same error with another suggestion.
    public func with(suggestion: String?) -> TarmacError { with(\.suggestion, suggestion) }

    /// What the chain threw, before hooks of ``Options/mapError`` made this of it: what is decided by errors is decided by that.
    var unmapped: TarmacError { storage.fields.unmapped ?? self }
    func with(unmapped: TarmacError) -> TarmacError { with(\.unmapped, unmapped) }

    func within(_ member: Member) -> TarmacError { with(\.members, [member] + members) }
    package func with(phase: Phase) -> TarmacError { with(\.phase, phase) }
    package func with(context: Context) -> TarmacError { with(\.context, context) }
    package func with(response: ResponseSnapshot?) -> TarmacError { with(\.response, response) }
    package func with(serverCode: String?, message: String?) -> TarmacError {
        with(\.serverCode, serverCode).with(\.serverMessage, message?.unlessBlank)
    }
}

extension TarmacError {
    /// Which call failed.
    public struct Context: Sendable {
        /// The endpoint's name.
        public let endpoint: String
        /// The service's name.
        public let service: String
        /// The method and the URL with secrets masked, such as `GET https://api.shop.example/users/7`.
        public let request: String
        /// How many requests were sent.
        public let attempts: Int
        /// How often the transport itself sent a request again because a pooled connection was stale.
        public let resends: Int
        /// What went wrong with each attempt of a call with a ``RetryRule``, in order; empty for others.
        public let failedAttempts: [FailedAttempt]
        /// From take-off to the failure.
        public let duration: Duration
        /// The call's ``Options/tags``.
        public let tags: Set<CallTag>
        /// The call's ``Options/userInfo``.
        public let userInfo: UserInfo

        public init(
            endpoint: String, service: String, request: String, attempts: Int, duration: Duration, tags: Set<CallTag> = [],
            userInfo: UserInfo = UserInfo(), resends: Int = 0, failedAttempts: [FailedAttempt] = []
        ) {
            self.resends = resends
            self.failedAttempts = failedAttempts
            self.endpoint = endpoint
            self.service = service
            self.request = request
            self.attempts = attempts
            self.duration = duration
            self.tags = tags
            self.userInfo = userInfo
        }
    }

    package static func bodyTooLarge(limit: Int) -> TarmacError {
        TarmacError(
            .bodyTooLarge, phase: .receiving, "the response body is larger than the limit of \(limit) bytes",
            suggestion: "raise maximumBodySize, or stream the body")
    }
}
