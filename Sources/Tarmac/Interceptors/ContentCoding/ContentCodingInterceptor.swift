/// Compresses requests where that is wanted, and decompresses responses, unless the transport already has (RFC 9110 §8.4).
struct ContentCodingInterceptor: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let sent = request.body.isNone ? request : try RequestCompressor.compressed(request, chain.context.option(RequestCompressionOption.self))
        let response = try await chain.proceed(sent)
        if chain.context.runtime.transport.capabilities.contains(.decodesContent) { return response }
        return try ContentDecoder.decode(
            response, limit: chain.context.options.values.maximumInflatedSize, requestMethod: request.method)
    }
}
