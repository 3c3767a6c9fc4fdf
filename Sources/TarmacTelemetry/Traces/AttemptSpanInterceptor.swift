#if Telemetry
@_spi(TarmacRooms) import TarmacCore
import Tracing

/// Tells the tracer and the metrics of each request on the wire. The request ends with its body.
struct AttemptSpanInterceptor: Interceptor {
    let telemetry: Telemetry

    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context, count = chain[RequestCount.self], start = context.time.moment
        // A request that calls share has a context of its own, which counts its attempts from the first.
        let resends = count?.next() ?? context.attempts + context.resends
        let facts = AttemptFacts(request, context, resends: resends, knownMethods: telemetry.knownMethods)
        let span = telemetry.tracer?.startSpan(facts.spanName, ofKind: .client)
        // Samplers look at the first attributes, so they come before the request goes out.
        if let span { span.attributes = facts.attributes }
        let request = span.flatMap { telemetry.tracer?.traced(request, as: $0.context, in: context) } ?? request
        let attempt = OpenAttempt(facts, telemetry, span, chain, since: start)
        defer { count?.add(attempt.resends) }
        do {
            var response = try await chain.attaching(AttemptObservation(observer: attempt)).proceed(request)
            attempt.note(response)
            if case .stream(let stream) = response.body {
                response.body = .stream(AttemptBody.wrap(stream, attempt))
            } else {
                attempt.end()
            }
            return response
        } catch {
            attempt.end(error)
            throw error
        }
    }
}
#endif
