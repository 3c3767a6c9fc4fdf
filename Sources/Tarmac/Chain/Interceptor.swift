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
    private let baggage: Baggage?
    /// The race the request is the first of.
    var race: HedgeRace? { baggage?.race }
    /// From AUTH to the stages below.
    var pass: AuthPass? { baggage?.pass }

    init(_ plan: InterceptorPlan, context: CallContext) {
        stages = plan.stages
        index = 0
        self.context = context
        baggage = nil
    }

    private init(stages: [any Interceptor], index: Int, context: CallContext, baggage: Baggage?) {
        self.baggage = baggage
        self.stages = stages
        self.index = index
        self.context = context
    }

    /// What is left of the way, for a flight of its own.
    func flown(by context: CallContext) -> Chain { Chain(stages: stages, index: index, context: context, baggage: nil) }

    /// What is left of the way, for the first of a race.
    func racing(_ race: HedgeRace) -> Chain { Chain(stages: stages, index: index, context: context, baggage: Baggage(race: race, pass: pass)) }

    /// What is left of the way, with what STAMP needs to know. A request would be copied for that.
    func carrying(_ pass: AuthPass) -> Chain { Chain(stages: stages, index: index, context: context, baggage: Baggage(race: race, pass: pass)) }

    /// Hands the request to the next stage and returns its response.
    public func proceed(_ request: Request) async throws -> Response {
        // The last stage is the transport's and never proceeds, so the index stays within the stages.
        try await stages[index].intercept(request, chain: Chain(stages: stages, index: index + 1, context: context, baggage: baggage))
    }
}

/// What few calls take along: one reference in each chain, whatever is in it.
private final class Baggage: Sendable {
    let race: HedgeRace?
    let pass: AuthPass?

    init(race: HedgeRace?, pass: AuthPass?) {
        self.race = race
        self.pass = pass
    }
}
