import HTTPTypes
@_spi(TarmacRooms) import TarmacHTTP

/// Adds cookies to each request, and keeps the cookies that each response sets, including redirects.
///
/// It runs below dispatch, so it sends cookies that another call received while this one waited for a slot.
struct CookieInterceptor: Interceptor {
    let keeper: any CookieKeeper

    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let scope = try await chain.context.cookieScope(request)
        if keeper.needsLoading { try await chain.context.outlived(in: .intercepting) { [keeper] in await keeper.load() } }
        let response = try await chain.proceed(withCookies(request, of: scope, chain.context))
        keep(response, from: request, of: scope, chain.context)
        return response
    }

    private func withCookies(_ request: Request, of scope: CookieScope, _ context: CallContext) -> Request {
        if context.bringsCookies(request) { return request }
        let date = context.runtime.time.date
        guard let field = context.warned({ try keeper.cookieField(for: request.url, scope: scope, at: date) }) ?? nil else { return request }
        var request = request
        // The subscript would split the text into a field for each cookie.
        request.headers.append(HTTPField(name: .cookie, value: field))
        return request
    }

    private func keep(_ response: Response, from request: Request, of scope: CookieScope, _ context: CallContext) {
        guard response.headers.contains(.setCookie) else { return }
        let fields = response.headers[fields: .setCookie].map(\.value), kept = fields.filter { !$0.unicodeScalars.contains("\u{FFFD}") }
        if kept.count < fields.count { context.emit(.warning("cookies: one that is not UTF-8 is not kept, because it would come back as another")) }
        context.warned { try keeper.keep(kept, from: request.url, scope: scope, at: context.runtime.time.date) }
    }
}

extension CallContext {
    /// Returns the scope of the call's principal, even after a redirect.
    package nonisolated(nonsending) func cookieScope(_ request: Request) async throws -> CookieScope {
        CookieScope(try await principal(of: progress.withLock { $0.request } ?? request))
    }

    /// Whether the request already has a Cookie field, or gets one from the service's header fields.
    fileprivate func bringsCookies(_ request: Request) -> Bool {
        request.headers.contains(.cookie) || options.serviceFields.contains(.cookie) && runtime.owns(request.url.origin)
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
