import TarmacCore

/// Sends a second request while the first is slow. The call uses the first response.
struct HedgeInterceptor: Interceptor {
    let rule: HedgeRule
    let state: ServiceTraffic

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        guard HedgePolicy(rule: rule).mayHedge(request, delivery: context.delivery) else { return try await chain.proceed(request) }
        let delay = state.noteHedgeable(request.url.origin, rule)
        return try await HedgeRace(request, chain, rule, self.state, delay: delay).fly()
    }
}
