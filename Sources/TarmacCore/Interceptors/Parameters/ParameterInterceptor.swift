/// Transforms the parameters anew for each request that is sent, so that none repeats the nonce or time of another.
///
/// It sits below dispatch, so that times are fresh at the wire, and above STAMP, whose credentials may go into the query.
struct ParameterInterceptor: Interceptor {
    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        guard let recipe = request.recipe, recipe.fits(request) else { return try await chain.proceed(request) }
        return try await Renewal.fly(request, chain.context) { try await chain.proceed(try recipe.remade($0)) }
    }
}
