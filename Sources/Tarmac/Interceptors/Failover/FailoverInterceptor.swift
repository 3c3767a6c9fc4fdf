/// Asks the origin when the chosen host cannot be reached; once. Each request passes the stages below again.
struct FailoverInterceptor: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        do {
            return try await chain.proceed(request)
        } catch let failure as TarmacError {
            guard case .ask(let next)? = chain.context.failoverPolicy?.decide(request, failure: failure) else { throw failure }
            try chain.context.checkDeadline(.connecting)
            chain.context.emit(.failedOver(to: chain.context.redactor.url(next.url), because: failure))
            return try await chain.proceed(next)
        }
    }
}

extension CallContext {
    /// What holds for this call; `nil` in an environment that has but one host.
    fileprivate var failoverPolicy: FailoverPolicy? {
        guard let hosts = runtime.hosts, let from = try? hosts.base(options.values.host), let to = try? hosts.base(.origin), from != to
        else { return nil }
        let writesFile = if case .file = delivery { true } else { false }
        return FailoverPolicy(from: from, to: to, writesFile: writesFile)
    }
}
