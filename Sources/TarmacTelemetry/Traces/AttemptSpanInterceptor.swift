#if Telemetry
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport
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
        if let span { facts.begin(span) }
        var request = span.flatMap { telemetry.tracer?.traced(request, as: $0.context, in: context) } ?? request
        if let connections = telemetry.connections { request[ConnectionObservation.self] = ConnectionObservation(connections) }
        let attempt = OpenAttempt(facts, telemetry, span, chain, since: start)
        defer { count?.add(attempt.resends) }
        do {
            let observed = chain.attaching(AttemptObservation(observer: attempt))
            var response = try await proceed(observed, request, within: span)
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

    /// Sends the request with its span as the current one, so that the work of a transport belongs to this request.
    private nonisolated(nonsending) func proceed(_ chain: Chain, _ request: Request, within span: (any Span)?) async throws -> Response {
        guard let span else { return try await chain.proceed(request) }
        return try await ServiceContext.$current.withValue(span.context) { try await chain.proceed(request) }
    }
}
#endif
