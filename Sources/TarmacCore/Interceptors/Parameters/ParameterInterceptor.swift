/// Transforms the parameters again for each request that is sent, so that no two requests share a nonce or time.
///
/// It runs below dispatch, so that times are current when the request is sent. It runs above ``StampInterceptor``,
/// whose credentials may go into the query.
struct ParameterInterceptor: Interceptor {
    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        guard let recipe = request.recipe, recipe.fits(request) else { return try await chain.proceed(request) }
        return try await Renewal.fly(request, chain.context) { try await chain.proceed(try recipe.remade($0)) }
    }
}
