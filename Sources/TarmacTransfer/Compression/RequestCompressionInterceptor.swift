import TarmacCore

/// Compresses the bodies of requests.
struct RequestCompressionInterceptor: Interceptor {
    let compression: RequestCompression

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        try await chain.proceed(try RequestCompressor.compressed(request, compression))
    }
}
