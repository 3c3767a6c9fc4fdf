/// Sends a second request beside one that is slow; the first answer is the call's.
struct HedgeInterceptor: Interceptor {
    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context, rule = context.options.values.hedge
        guard HedgePolicy(rule: rule).mayHedge(request, delivery: context.delivery) else { return try await chain.proceed(request) }
        let delay = context.runtime.resilience.noteHedgeable(request.url.origin, rule)
        return try await HedgeRace(request, chain, delay: delay).fly()
    }
}
