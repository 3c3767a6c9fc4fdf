@_spi(TarmacRooms) import TarmacHTTP

/// A stage between a call and its transport. It can change the request and the response, or return its own response.
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
/// The built-in stages are interceptors too. Call ``Chain/proceed(_:)`` at most once, and pass streamed bodies on
/// unread. Throw `TarmacError` or `CancellationError`; any other error becomes the cause of
/// `TarmacError(.callerFailed)`.
///
/// An implementation may be a plain `async` method, or belong to an actor; the stages below it run outside that actor. A stage that a
/// setting of your own seats must not belong to an actor: the stages below run where it does.
public protocol Interceptor: Sendable {
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response
}

/// The remaining stages between an interceptor and the transport.
public struct Chain: Sendable {
    /// The context of the call.
    public let context: CallContext
    // The stages are in the call's settings, which saves a reference between stages.
    @usableFromInline let index: Int
    @usableFromInline var attachments: Attachments

    /// Creates the whole chain of a call.
    init(_ context: CallContext) { self.init(context, index: 0) }

    @inlinable init(_ context: CallContext, index: Int, attachments: Attachments = Attachments()) {
        self.context = context
        self.index = index
        self.attachments = attachments
    }

    /// Returns a value that a stage above attached.
    @_spi(TarmacRooms) @inlinable public subscript<Value: Attachment>(type: Value.Type) -> Value? { attachments[type] }

    /// Returns the same chain with a value for the stages below. Extending a chain is cheaper than extending a
    /// request.
    @_spi(TarmacRooms) @inlinable public func attaching<Value: Attachment>(_ value: Value) -> Chain {
        var chain = self
        chain.attachments[Value.self] = value
        return chain
    }

    /// Returns the same stages for another call with the same settings.
    package func flown(by context: CallContext) -> Chain { Chain(context, index: index) }

    /// Passes the request to the next stage and returns its response.
    // Inlined, as are the stages themselves: an async function costs a frame.
    @inlinable @inline(__always)
    public nonisolated(nonsending) func proceed(_ request: Request) async throws -> Response {
        // The last stage is the transport's and never proceeds, so the index stays within the stages.
        try await context.stages[index].intercept(request, chain: Chain(context, index: index + 1, attachments: attachments))
    }
}
