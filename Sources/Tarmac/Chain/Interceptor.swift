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

/// What is left of the way to the transport.
public struct Chain: Sendable {
    private let stages: [any Interceptor]
    private let index: Int
    /// The call on its way.
    public let context: CallContext
    /// The race the request is the first of.
    let race: HedgeRace?

    init(_ plan: InterceptorPlan, context: CallContext) {
        stages = plan.stages
        index = 0
        self.context = context
        race = nil
    }

    private init(stages: [any Interceptor], index: Int, context: CallContext, race: HedgeRace?) {
        self.race = race
        self.stages = stages
        self.index = index
        self.context = context
    }

    /// What is left of the way, for a flight of its own.
    func flown(by context: CallContext) -> Chain { Chain(stages: stages, index: index, context: context, race: nil) }

    /// What is left of the way, for the first of a race.
    func racing(_ race: HedgeRace) -> Chain { Chain(stages: stages, index: index, context: context, race: race) }

    /// Hands the request to the next stage and returns its response.
    public func proceed(_ request: Request) async throws -> Response {
        // The last stage is the transport's and never proceeds, so the index stays within the stages.
        try await stages[index].intercept(request, chain: Chain(stages: stages, index: index + 1, context: context, race: race))
    }
}
