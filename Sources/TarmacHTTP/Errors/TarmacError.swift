public import HTTPTypes

/// The failure of a call. Tarmac throws this error and `CancellationError` only.
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

    // The error is one pointer wide, which keeps throwing functions cheap.
    private final class Storage: Sendable {
        let fields: Fields
        init(_ fields: Fields) { self.fields = fields }
    }

    private func with(_ change: (inout Fields) -> Void) -> TarmacError {
        var fields = storage.fields
        change(&fields)
        return TarmacError(storage: Storage(fields))
    }

    private init(storage: Storage) { self.storage = storage }

    /// Makes an error to throw from an interceptor, transport, transform or test.
    ///
    /// - Parameters:
    ///   - code: the cause of the failure.
    ///   - phase: the phase of the call. It decides ``reach`` for some codes, so a transport states it.
    ///   - reason: what happened, with the name of the input and without secrets.
    ///   - suggestion: what to try.
    ///   - cause: the underlying error, which ``cause(as:)`` finds.
    ///   - path: the JSON path or parameter name at fault.
    public init(
        _ code: Code, phase: Phase = .building, _ reason: String = "", suggestion: String? = nil,
        cause: (any Error)? = nil, path: String? = nil
    ) {
        storage = Storage(
            Fields(
                code: code, phase: phase, reason: reason, suggestion: suggestion, cause: cause, path: path))
    }

    /// The cause of the failure.
    public var code: Code { storage.fields.code }
    /// The phase in which the call failed.
    public var phase: Phase { storage.fields.phase }
    /// A description of what happened, in one English sentence.
    public var reason: String { storage.fields.reason }
    /// A suggestion to the developer, if there is one.
    public var suggestion: String? { storage.fields.suggestion }
    /// The call that failed. `nil` until the client fills it in.
    package var context: Context? { storage.fields.context }
    /// The endpoint's name.
    public var endpoint: String? { context?.endpoint }
    /// The service's name.
    public var service: String? { context?.service }
    /// The method and the URL with secrets masked, such as `GET https://api.shop.example/users/7`.
    public var request: String? { context?.request }
    /// The time from the start of the call to its failure.
    public var duration: Duration? { context?.duration }
    /// The call's ``Options/tags``.
    public var tags: Set<CallTag> { context?.tags ?? [] }
    /// The call's ``Options/userInfo``.
    public var userInfo: UserInfo { context?.userInfo ?? UserInfo() }
    /// The number of requests, including redirects, repeats and failovers. 0 if there was none.
    ///
    /// Requests that a transport repeats by itself over a new connection do not count.
    public var attempts: Int { context?.attempts ?? 0 }
    /// The failed attempts of a call that is repeated after failures, in order. Empty for other calls.
    public var failedAttempts: [FailedAttempt] { context?.failedAttempts ?? [] }
    /// Where the time of each attempt went, in order. Empty if there was none.
    public var timings: [AttemptTimings] { context?.timings ?? [] }
    /// The head and the first bytes of the body of the response, if there was one.
    public var response: ResponseSnapshot? { storage.fields.response }
    /// The status of the response, if there was one.
    public var status: HTTPResponse.Status? { response?.status }
    /// The JSON path or parameter name at fault.
    public var path: String? { storage.fields.path }
    /// The code in the server's envelope or problem details.
    public var serverCode: String? { storage.fields.serverCode }
    /// The server's message: the one that ``Options/envelope`` names, that of problem details, or the first of the members
    /// `message`, `msg`, `detail`, `error.message`, `error_description` and `errors[0]` (itself, or its `message` or `detail`)
    /// of a JSON body.
    ///
    /// It is one line of at most 500 characters with secrets masked, and no HTML. `nil` if there is none.
    public var serverMessage: String? { storage.fields.serverMessage }

    /// The places of the call in batches, chains and graphs, the outermost first. Empty for a single call.
    public var members: [Member] { storage.fields.members }

    /// Returns the first underlying error of the given type, such as a `DecodingError` or the error of a transport.
    public func cause<Cause>(as type: Cause.Type = Cause.self) -> Cause? {
        var current = storage.fields.cause
        while let error = current {
            if let match = error as? Cause { return match }
            current = (error as? TarmacError)?.storage.fields.cause ?? (error as? DecodingError)?.place
        }
        return nil
    }

    /// The underlying error.
    public var cause: (any Error)? { storage.fields.cause }

    /// A sentence for the user of the app.
    ///
    /// It is the server's message if there is one. Otherwise it is in English or simplified Chinese, by the
    /// language of the process. Replace it in a `mapError` hook with ``with(userMessage:)``.
    public var userMessage: String {
        storage.fields.userMessage ?? serverMessage ?? UserMessages.text(for: self, language: UserMessages.systemLanguage)
    }

    /// Returns the sentence for the user of the app in a language. A replaced message or the server's message
    /// takes precedence.
    public func userMessage(in language: UserMessageLanguage) -> String {
        storage.fields.userMessage ?? serverMessage ?? UserMessages.text(for: self, language: language)
    }

    /// Returns the error with another sentence for the user.
    public func with(userMessage: String) -> TarmacError { with { $0.userMessage = userMessage } }
    /// Returns the error with another suggestion.
    package func with(suggestion: String?) -> TarmacError { with { $0.suggestion = suggestion } }

    /// The error before the hooks of ``Options/mapError``. Decisions depend on it.
    package var unmapped: TarmacError { storage.fields.unmapped ?? self }
    package func with(unmapped: TarmacError) -> TarmacError { with { $0.unmapped = unmapped } }

    package func within(_ member: Member) -> TarmacError { with { $0.members = [member] + members } }
    package func with(phase: Phase) -> TarmacError { with { $0.phase = phase } }
    package func with(context: Context) -> TarmacError { with { $0.context = context } }
    package func with(response: ResponseSnapshot?) -> TarmacError { with { $0.response = response } }
    /// Returns the error with masked texts. Text that was masked before does not change.
    package func masking(_ mask: (String) -> String) -> TarmacError {
        var fields = storage.fields
        fields.reason = mask(fields.reason)
        fields.path = fields.path.map(mask)
        fields.suggestion = fields.suggestion.map(mask)
        fields.serverCode = fields.serverCode.map(mask)
        fields.serverMessage = fields.serverMessage.map(mask)
        fields.userMessage = fields.userMessage.map(mask)
        return TarmacError(storage: Storage(fields))
    }
    package func with(serverCode: String?, message: String?) -> TarmacError {
        with {
            $0.serverCode = serverCode
            $0.serverMessage = message?.unlessBlank
        }
    }
}

extension TarmacError {
    /// The call that failed.
    package struct Context: Sendable {
        package let endpoint: String
        package let service: String
        package let request: String
        package let attempts: Int
        /// The number of requests that the transport repeated because a pooled connection was stale.
        package let resends: Int
        package let failedAttempts: [FailedAttempt]
        package let timings: [AttemptTimings]
        package let duration: Duration
        package let tags: Set<CallTag>
        package let userInfo: UserInfo

        package init(
            endpoint: String, service: String, request: String, attempts: Int, duration: Duration, tags: Set<CallTag> = [],
            userInfo: UserInfo = UserInfo(), resends: Int = 0, failedAttempts: [FailedAttempt] = [], timings: [AttemptTimings] = []
        ) {
            (self.endpoint, self.service, self.request, self.duration) = (endpoint, service, request, duration)
            (self.attempts, self.resends, self.failedAttempts, self.timings) = (attempts, resends, failedAttempts, timings)
            (self.tags, self.userInfo) = (tags, userInfo)
        }
    }

    package static func bodyTooLarge(limit: Int) -> TarmacError {
        TarmacError(
            .bodyTooLarge, phase: .receiving, "the response body is larger than the limit of \(limit) bytes",
            suggestion: "raise maximumBodySize, or stream the body")
    }
}
