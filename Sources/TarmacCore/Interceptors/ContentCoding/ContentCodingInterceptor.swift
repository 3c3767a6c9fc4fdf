import HTTPTypes

/// Compresses requests if configured, and decompresses responses unless the transport already has (RFC 9110 §8.4).
struct ContentCodingInterceptor: Interceptor {
    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let response = try await chain.proceed(try chain.context.coded(request))
        return try chain.context.uncoded(response, to: request.method)
    }
}

extension CallContext {
    /// Returns the request with its body compressed if configured.
    func coded(_ request: Request) throws(TarmacError) -> Request {
        request.body.isNone ? request : try RequestCompressor.compressed(request, option(RequestCompressionOption.self))
    }

    func uncoded(_ response: Response, to method: HTTPRequest.Method) throws(TarmacError) -> Response {
        // True for nearly every response, without reading any setting.
        if !response.headers.contains(.contentEncoding) || runtime.transport.capabilities.contains(.decodesContent) { return response }
        return try ContentDecoder.decode(response, limit: options.values.maximumInflatedSize, requestMethod: method)
    }
}
