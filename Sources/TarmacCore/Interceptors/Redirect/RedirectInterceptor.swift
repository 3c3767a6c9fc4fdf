import HTTPTypes
import TarmacMasking

/// Follows redirects. Each one passes the stages below again.
struct RedirectInterceptor: Interceptor {
    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        var request = request
        var hops: [Request] = []
        while true {
            let response = try await chain.proceed(request)
            // Nearly every response ends here, without gathering names.
            guard response.status.kind == .redirection, let next = try next(request, response, hops, chain.context) else { return response }
            hops.append(request)
            request = next
        }
    }

    // A function of its own, because a waiting call would hold its variables.
    @inline(never)
    private func next(_ request: Request, _ response: Response, _ hops: [Request], _ context: CallContext) throws -> Request? {
        let redactor = context.redactor
        // Another origin learns neither a credential nor who asks.
        let credentials = Set(request.headers.lazy.map(\.name).filter { redactor.isSecret($0) || CallerName.kind(of: $0.rawName) != nil })
        let policy = RedirectPolicy(rule: context.options.values.redirects, credentialHeaders: credentials)
        let decision = try policy.decide(request: request, status: response.status, headers: response.headers, hops: hops)
        guard case .follow(let next) = decision else { return nil }
        try context.checkDeadline(.redirecting)
        context.emit(.redirected(status: response.status.registered, to: redactor.url(next.url)))
        return next
    }
}
