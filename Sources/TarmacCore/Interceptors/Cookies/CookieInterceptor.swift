import HTTPTypes

/// Adds cookies to each request, and keeps the cookies that each response sets, including redirects.
///
/// It runs below dispatch, so it sends cookies that another call received while this one waited for a slot.
struct CookieInterceptor: Interceptor {
    let keeper: any CookieKeeper

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
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
    /// Returns the scope of the call's principal, even after a redirect.
    package nonisolated(nonsending) func cookieScope(_ request: Request) async throws -> CookieScope {
        CookieScope(try await principal(of: progress.withLock { $0.request } ?? request))
    }

    /// Whether the request already has a Cookie field, or gets one from the service's header fields.
    fileprivate func bringsCookies(_ request: Request) -> Bool {
        request.headers.contains(.cookie) || runtime.owns(request.url.origin) && options.serviceFields.contains(.cookie)
    }

    /// Runs `body` and turns an error into a warning: a failing cookie store does not fail the call.
    @discardableResult
    fileprivate func warned<Value>(_ body: () throws -> Value) -> Value? {
        do { return try body() } catch {
            emit(.warning("cookies: \((error as? TarmacError).map(\.description) ?? "\(type(of: error))")"))
            return nil
        }
    }
}
