import HTTPTypes

/// Follows redirects; each hop passes the stages below again.
struct RedirectInterceptor: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let policy = RedirectPolicy(rule: chain.context.options.values.redirects, credentialHeaders: chain.context.options.redactor.headers)
        var request = request
        var hops: [Request] = []
        while true {
            let response = try await chain.proceed(request)
            switch try policy.decide(request: request, status: response.status, headers: response.headers, hops: hops) {
            case .deliver: return response
            case .follow(let next):
                try chain.context.checkDeadline(.redirecting)
                chain.context.emit(.redirected(status: response.status, to: chain.context.redactor.url(next.url)))
                hops.append(request)
                request = next
            }
        }
    }
}
