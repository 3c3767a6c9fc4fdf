import HTTPTypes

/// Follows redirects. Each one passes the stages below again.
struct RedirectInterceptor: Interceptor {
    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        var request = request
        var hops: [Request] = []
        while true {
            let response = try await chain.proceed(request)
            // Nearly every response ends here, without gathering names.
            guard response.status.kind == .redirection else { return response }
            let redactor = chain.context.redactor
            let credentials = Set(request.headers.lazy.map(\.name).filter { redactor.isSecret($0) })
            let policy = RedirectPolicy(rule: chain.context.options.values.redirects, credentialHeaders: credentials)
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
