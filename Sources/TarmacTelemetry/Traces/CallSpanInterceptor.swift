#if Telemetry
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import Tracing

/// Starts the span of a call, and makes it the current one for all stages below. `CallTelemetry` ends it with the call.
///
/// The span is internal: OpenTelemetry gives a client span to each request on the wire, and none to what encloses them.
struct CallSpanInterceptor: Interceptor {
    let tracer: any Tracer
    let spans: OpenSpans

    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        // A call that loads a file in parts passes here once for each of them.
        let (span, isLate) = spans.span(of: context.id) {
            let target = CallTarget(context)
            let span = tracer.startSpan(target.endpoint ?? request.method.rawValue, context: parent(of: request, context), ofKind: .internal)
            span.updateAttributes { target.describe(in: &$0, service: context.service) }
            return span
        }
        defer { if isLate { span.end() } }
        let counted = chain.attaching(RequestCount())
        return try await ServiceContext.$current.withValue(span.context) { try await counted.proceed(request) }
    }

    /// Returns the trace that the call's settings name, or that of the caller. Without either, the request's own fields may have it, as those
    /// of a call that was stored.
    private func parent(of request: Request, _ context: CallContext) -> ServiceContext {
        if let trace = context.option(Settings.trace) ?? ServiceContext.current { return trace }
        var stored = ServiceContext.topLevel
        tracer.extract(request.headers, into: &stored, using: FieldExtractor())
        return stored
    }
}
#endif
