#if Telemetry
import TarmacCore
import Tracing

/// Makes the span of the call the current one again for a request that comes from another task: a hedge starts in the task of the engine's
/// time limits, which has no task-local values.
struct RestoredTraceInterceptor: Interceptor {
    let spans: OpenSpans

    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        guard ServiceContext.current == nil, let span = spans.open(chain.context.id) else { return try await chain.proceed(request) }
        return try await ServiceContext.$current.withValue(span.context) { try await chain.proceed(request) }
    }
}
#endif
