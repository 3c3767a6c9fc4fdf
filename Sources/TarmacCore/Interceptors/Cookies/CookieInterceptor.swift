import HTTPTypes

/// Puts cookies on each request, and keeps what each response sets, those of redirects included.
///
/// It sits below dispatch, so a cookie another call was given while this one stood in line is sent.
struct CookieInterceptor: Interceptor {
    let keeper: any CookieKeeper

    @inline(__always)
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let context = chain.context
        let scope = try await context.cookieScope(request)
        var request = request
        if !context.bringsCookies(request) {
            let field = context.warned { try keeper.cookieField(for: request.url, scope: scope, at: context.runtime.time.date) }
            if let field = field ?? nil { request.headers[.cookie] = field }
        }
        let response = try await chain.proceed(request)
        let set = response.headers.filter { $0.name == .setCookie }.map(\.value)
        if !set.isEmpty {
            context.warned { try keeper.keep(set, from: request.url, scope: scope, at: context.runtime.time.date) }
        }
        return response
    }
}

extension CallContext {
    /// The principal of the call, wherever a redirect has led it.
    package func cookieScope(_ request: Request) async throws -> CookieScope {
        CookieScope(try await principal(of: progress.withLock { $0.request } ?? request))
    }

    /// Whether the call has a Cookie field already, or will have its service's.
    fileprivate func bringsCookies(_ request: Request) -> Bool {
        request.headers.contains(.cookie) || runtime.owns(request.url.origin) && options.serviceFields.contains(.cookie)
    }

    /// A jar that fails does not fail the call.
    @discardableResult
    fileprivate func warned<Value>(_ body: () throws -> Value) -> Value? {
        do { return try body() } catch {
            emit(.warning("cookies: \((error as? TarmacError).map(\.description) ?? "\(type(of: error))")"))
            return nil
        }
    }
}
