#if canImport(Darwin)
public import Foundation

extension Cookie {
    /// The same cookie for `HTTPCookieStorage` and web views; `nil` when Foundation takes it for none.
    public var httpCookie: HTTPCookie? {
        URL(string: setCookieURL).flatMap { HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": setCookieField], for: $0).first }
    }
}

extension CookieJar {
    /// Copies the jar's cookies, those of every principal, into a storage of Foundation's, for instance for a web view.
    public func copy(to storage: HTTPCookieStorage) {
        for cookie in cookies.compactMap(\.httpCookie) { storage.setCookie(cookie) }
    }
}
#endif
