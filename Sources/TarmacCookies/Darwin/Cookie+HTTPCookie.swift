#if canImport(Darwin)
public import Foundation
public import TarmacCore

extension Cookie {
    /// The cookie as Foundation's type, for `HTTPCookieStorage` and web views, or `nil` if Foundation does not accept
    /// it.
    public var httpCookie: HTTPCookie? {
        URL(string: setCookieURL).flatMap { HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": setCookieField], for: $0).first }
    }

    /// Creates a cookie from Foundation's type, or returns `nil` if no server of its domain could have set it.
    public init?(_ cookie: HTTPCookie, at date: Date = Date()) {
        guard let cookie = CookieProperties(cookie).cookie(at: date) else { return nil }
        self = cookie
    }
}

extension CookieProperties {
    init(_ cookie: HTTPCookie) {
        self.init(
            name: cookie.name, value: cookie.value, domain: cookie.domain, path: cookie.path, expires: cookie.expiresDate,
            isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly, sameSite: cookie.sameSitePolicy?.rawValue)
    }
}

extension CookieJar {
    /// Copies the cookies of one principal into Foundation's storage. The cookies already in the storage stay,
    /// including those of a previous user; empty it when a user logs out.
    ///
    /// ```swift
    /// let scope = try await client.cookieScope(for: Account())
    /// try jar.copy(to: .shared, scope: scope)
    /// for cookie in try jar.cookies(of: scope).compactMap(\.httpCookie) { await store.setCookie(cookie) }    // a WKHTTPCookieStore
    /// ```
    public func copy(to storage: HTTPCookieStorage, scope: CookieScope) throws {
        for cookie in try cookies(of: scope).compactMap(\.httpCookie) { storage.setCookie(cookie) }
    }

    /// Adds Foundation's cookies to one principal and replaces those with the same name, domain and path. Cookies that
    /// are missing in `cookies` stay in the jar.
    ///
    /// ```swift
    /// try jar.copy(from: await store.allCookies(), scope: scope)                                             // a WKHTTPCookieStore
    /// ```
    public func copy(from cookies: [HTTPCookie], scope: CookieScope) throws {
        try keep(cookies.map { CookieProperties($0) }, scope: scope)
    }
}
#endif
