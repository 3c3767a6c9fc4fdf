/// Adds the service's header fields and credentials if the request goes to one of the service's own origins.
///
/// It runs below dispatch, so that the credentials are current. It runs below redirects, so that a redirect to
/// another origin carries none of them.
struct StampInterceptor: Interceptor {
    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        try await chain.proceed(chain.context.stamped(request))
    }
}
