import HTTPTypes

/// Decompresses responses unless the transport already has (RFC 9110 §8.4).
struct ContentCodingInterceptor: Interceptor {
    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        try chain.context.uncoded(try await chain.proceed(request), to: request.method)
    }
}

extension CallContext {
    func uncoded(_ response: Response, to method: HTTPRequest.Method) throws(TarmacError) -> Response {
        // True for nearly every response, without reading any setting.
        if !response.headers.contains(.contentEncoding) || runtime.transport.capabilities.contains(.decodesContent) { return response }
        return try ContentDecoder.decode(response, limit: options.values.maximumInflatedSize, requestMethod: method)
    }
}
