#if canImport(Darwin)
public import Foundation
public import TarmacCore

extension Cookie {
    /// The same cookie for `HTTPCookieStorage` and web views; `nil` when Foundation takes it for none.
    public var httpCookie: HTTPCookie? {
        URL(string: setCookieURL).flatMap { HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": setCookieField], for: $0).first }
    }

    /// The same cookie as Foundation's; `nil` for one that no server of its domain could have set.
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
    /// Copies one principal's cookies into a storage of Foundation's. What is in it already stays, also of whoever was logged in
    /// before: empty it when a user leaves.
    ///
    /// ```swift
    /// let scope = try await client.cookieScope(for: Account())
    /// try jar.copy(to: .shared, scope: scope)
    /// for cookie in try jar.cookies(of: scope).compactMap(\.httpCookie) { await store.setCookie(cookie) }    // a WKHTTPCookieStore
    /// ```
    public func copy(to storage: HTTPCookieStorage, scope: CookieScope) throws {
        for cookie in try cookies(of: scope).compactMap(\.httpCookie) { storage.setCookie(cookie) }
    }

    /// Keeps Foundation's cookies for one principal, in place of those of the same name, domain and path. Those that are gone
    /// there stay here.
    ///
    /// ```swift
    /// try jar.copy(from: await store.allCookies(), scope: scope)                                             // a WKHTTPCookieStore
    /// ```
    public func copy(from cookies: [HTTPCookie], scope: CookieScope) throws {
        try keep(cookies.map { CookieProperties($0) }, scope: scope)
    }
}
#endif
