import HTTPTypes

/// Puts on the wire what belongs to the service: only when the request goes to one of the service's own origins.
///
/// It sits below dispatch, so what is stamped is fresh, and below redirect, so a hop to a stranger carries none of it.
struct StampInterceptor: Interceptor {
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        if let mark = request.cacheMark, !mark.fits(request.headers, redactor: chain.context.redactor) { return try await unkept(request, chain) }
        return try await stamp(request, chain)
    }

    /// The answer was made for other credentials than the cache knows of.
    private func unkept(_ request: Request, _ chain: Chain) async throws -> Response {
        var response = try await stamp(request, chain)
        response.note { $0.hasOtherCredentials = true }
        return response
    }

    private func stamp(_ request: Request, _ chain: Chain) async throws -> Response {
        guard let pass = chain.pass else { return try await chain.proceed(chain.context.stamped(request)) }
        var request = chain.context.stamped(request)
        try chain.context.checkLogin(of: pass.session)
        let credential = try pass.session.stamp(&request, pass)
        var response = try await chain.proceed(request)
        response.credential = credential
        return response
    }
}

extension CallContext {
    /// The request with the service's credentials and header fields, if it goes to the service.
    func stamped(_ request: Request) -> Request {
        let fields = options.serviceFields, credentials = options.values.authenticator.fixed
        if fields.isEmpty && credentials == nil || !runtime.owns(request.url.origin) { return request }
        var request = request
        credentials?.authorize(&request)
        for field in fields where !request.headers.contains(field.name) { request.headers.append(field) }
        return request
    }
}
