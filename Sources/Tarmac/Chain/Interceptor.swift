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
    /// The call on its way.
    public let context: CallContext
    /// Of the stage that is next. The stages themselves are in the call's settings: a reference less to hand from stage to stage.
    private let index: Int
    private let baggage: Baggage
    /// The race the request is the first of.
    var race: HedgeRace? {
        switch baggage {
        case .none: nil
        case .race(let race): race
        case .pass(let box): box.race
        }
    }
    /// From AUTH to the stages below.
    var pass: AuthPass? { if case .pass(let box) = baggage { box.pass } else { nil } }

    /// The whole way of a call.
    init(_ context: CallContext) { self.init(context, index: 0, baggage: .none) }

    private init(_ context: CallContext, index: Int, baggage: Baggage) {
        self.context = context
        self.index = index
        self.baggage = baggage
    }

    /// What is left of the way, for a flight of its own with the same settings.
    func flown(by context: CallContext) -> Chain { Chain(context, index: index, baggage: .none) }

    /// What is left of the way, for the first of a race.
    func racing(_ race: HedgeRace) -> Chain { Chain(context, index: index, baggage: .race(race)) }

    /// What is left of the way, with what STAMP needs to know. A request would be copied for that.
    func carrying(_ pass: AuthPass) -> Chain { Chain(context, index: index, baggage: .pass(PassBox(race, pass))) }

    /// Hands the request to the next stage and returns its response.
    // An async function costs a frame, so this one and the stages themselves are to be part of their callers.
    @inline(__always)
    public func proceed(_ request: Request) async throws -> Response {
        // The last stage is the transport's and never proceeds, so the index stays within the stages.
        try await context.options.plan.stages[index].intercept(request, chain: Chain(context, index: index + 1, baggage: baggage))
    }
}

/// What few calls take along: one reference in each chain, whatever is in it. A race begins above AUTH.
private enum Baggage: Sendable {
    case none
    case race(HedgeRace)
    case pass(PassBox)
}

private final class PassBox: Sendable {
    let race: HedgeRace?
    let pass: AuthPass

    init(_ race: HedgeRace?, _ pass: AuthPass) {
        self.race = race
        self.pass = pass
    }
}
