/// Something between a call and its transport: it may change the request, the response, or answer by itself.
///
/// ```swift
/// struct Stopwatch: Interceptor {
///     func intercept(_ request: Request, chain: Chain) async throws -> Response {
///         var request = request
///         request.headers[.init("X-Sent-At")!] = "…"
///         return try await chain.proceed(request)
///     }
/// }
/// ```
/// The built-in stages are interceptors too. Proceed at most once and hand streamed bodies on unread. Throw
/// `TarmacError` or `CancellationError`; anything else becomes the cause of `TarmacError(.interceptorFailed)`.
public protocol Interceptor: Sendable {
    func intercept(_ request: Request, chain: Chain) async throws -> Response
}

/// The rest of the way to the transport.
public struct Chain: Sendable {
    /// The call on its way.
    public let context: CallContext
    // The stages are in the call's settings: a reference less to hand from stage to stage.
    private let index: Int
    private var attachments = Attachments()

    /// The whole chain of a call.
    init(_ context: CallContext) { self.init(context, index: 0) }

    private init(_ context: CallContext, index: Int, attachments: Attachments = Attachments()) {
        self.context = context
        self.index = index
        self.attachments = attachments
    }

    /// A value for the stages below.
    public subscript<Value: Attachment>(type: Value.Type) -> Value? { attachments[type] }

    /// The same chain with a value for the stages below. A chain is cheaper to extend than a request.
    public func attaching<Value: Attachment>(_ value: Value) -> Chain {
        var chain = self
        chain.attachments[Value.self] = value
        return chain
    }

    /// The same stages for another call with the same settings.
    package func flown(by context: CallContext) -> Chain { Chain(context, index: index) }

    /// Hands the request to the next stage and returns its response.
    // An async function costs a frame, so this one and the stages themselves are to be part of their callers.
    @inline(__always)
    public func proceed(_ request: Request) async throws -> Response {
        // The last stage is the transport's and never proceeds, so the index stays within the stages.
        try await context.options.plan.stages[index].intercept(request, chain: Chain(context, index: index + 1, attachments: attachments))
    }
}
