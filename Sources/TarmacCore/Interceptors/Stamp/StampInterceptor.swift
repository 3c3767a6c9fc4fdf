import HTTPTypes

/// Puts on the wire what belongs to the service: only when the request goes to one of the service's own origins.
///
/// It sits below dispatch, so what is stamped is fresh, and below redirect, so a hop to a stranger carries none of it.
struct StampInterceptor: Interceptor {
    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        try await chain.proceed(chain.context.stamped(request))
    }
}

extension CallContext {
    /// The request with the service's credentials and header fields, if it goes to the service.
    package func stamped(_ request: Request) -> Request {
        let fields = options.serviceFields, credentials = options.fixedCredentials
        if fields.isEmpty && credentials == nil || !runtime.scope.owns(request.url.origin) { return request }
        var request = request
        credentials?.authorize(&request)
        for field in fields where !request.headers.contains(field.name) { request.headers.append(field) }
        return request
    }
}
