import HTTPTypes
@_spi(TarmacRooms) import TarmacHTTP

/// Decompresses responses unless the transport already has (RFC 9110 §8.4).
struct ContentCodingInterceptor: Interceptor {
    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        try chain.context.uncoded(try await chain.proceed(request), to: request.method)
    }
}

extension CallContext {
    func uncoded(_ response: Response, to method: HTTPRequest.Method) throws(TarmacError) -> Response {
        if response.headers.contains(.contentEncoding), !runtime.transport.capabilities.contains(.decodesContent) {
            return try ContentDecoder.decode(response, limit: options.values.maximumInflatedSize, requestMethod: method)
        }
        // A transport that decodes knows the limit of a buffered body only. Other responses return here without reading any setting.
        guard case .stream(let stream) = response.body, response.isDecoded else { return response }
        var bound = response
        bound.body = .stream(ContentDecoder.bound(stream, limit: options.values.maximumInflatedSize))
        return bound
    }
}
