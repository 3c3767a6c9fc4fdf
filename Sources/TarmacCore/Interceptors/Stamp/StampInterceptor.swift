/// Puts on the wire what belongs to the service: only when the request goes to one of the service's own origins.
///
/// It sits below dispatch, so what is stamped is fresh, and below redirect, so a hop to a stranger carries none of it.
struct StampInterceptor: Interceptor {
    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        try await chain.proceed(chain.context.stamped(request))
    }
}
