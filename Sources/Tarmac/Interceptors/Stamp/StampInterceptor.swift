import HTTPTypes

/// Puts on the wire what belongs to the service: only when the request goes to one of the service's own origins.
///
/// It sits below dispatch, so what is stamped is fresh, and below redirect, so a hop to a stranger carries none of it.
struct StampInterceptor: Interceptor {
    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let stamped = try chain.context.stamped(request, chain.pass)
        return stamped.noted(on: try await chain.proceed(stamped.request), to: request, chain.context)
    }
}

/// A request as it goes out.
struct StampedRequest {
    var request: Request
    /// What AUTH put on it.
    var credential: StampedCredential?

    /// The response, with what AUTH and CACHE need to know of the request it answers.
    func noted(on response: Response, to request: Request, _ context: CallContext) -> Response {
        let isOthers = request.cacheMark.map { !$0.fits(request.headers, redactor: context.redactor) } ?? false
        if credential == nil, !isOthers { return response }
        var response = response
        response.credential = credential ?? response.credential
        // The answer was made for other credentials than the cache knows of.
        if isOthers { response.note { $0.hasOtherCredentials = true } }
        return response
    }
}

extension CallContext {
    /// The request with all that belongs to the service.
    func stamped(_ request: Request, _ pass: AuthPass?) throws -> StampedRequest {
        var sent = StampedRequest(request: stamped(request))
        guard let pass else { return sent }
        try checkLogin(of: pass.session)
        sent.credential = try pass.session.stamp(&sent.request, pass)
        return sent
    }

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
