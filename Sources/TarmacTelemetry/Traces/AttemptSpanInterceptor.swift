#if Telemetry
import CoreMetrics
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import Tracing

/// Tells the tracer and the metrics of each request on the wire.
///
/// The span of a collected response ends with its body. That of a streamed one ends with its head, because its reader may never come to the end.
struct AttemptSpanInterceptor: Interceptor {
    let telemetry: Telemetry

    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        let observer = ExchangeWatch(above: chain[AttemptObservation.self]?.observer)
        var facts = AttemptFacts(request, context, knownMethods: telemetry.knownMethods)
        let start = context.time.moment
        let span = telemetry.tracer?.startSpan(facts.spanName, ofKind: .client)
        // Samplers look at the first attributes, so they come before the request goes out.
        if let span { span.attributes = facts.attributes }
        let request = span.flatMap { telemetry.tracer?.traced(request, as: $0.context, in: context) } ?? request
        let active = telemetry.metrics?.begin(facts)
        defer {
            active?.decrement()
            facts.peer = observer.remoteAddress
            telemetry.metrics?.record(context.time.moment - start, of: facts, withTemplate: telemetry.measuresTemplates)
            if let span { facts.end(span) }
        }
        do {
            let response = try await chain.attaching(AttemptObservation(observer: observer)).proceed(request)
            facts.note(response)
            return response
        } catch {
            facts.note(error, in: context)
            throw error
        }
    }
}

/// Keeps the exchange of an attempt, and passes on what the stage above wants to know.
private final class ExchangeWatch: AttemptObserver {
    private let above: (any AttemptObserver)?
    private let exchange = Locked<Exchange?>(nil)

    init(above: (any AttemptObserver)?) { self.above = above }

    var remoteAddress: String? { exchange.withLock { $0 }?.remoteAddress }

    func attemptBegan(_ exchange: Exchange, at start: Moment) {
        self.exchange.withLock { $0 = exchange }
        above?.attemptBegan(exchange, at: start)
    }

    func attemptEnded(since start: Moment, status: HTTPResponse.Status?) { above?.attemptEnded(since: start, status: status) }
}
#endif
