extension Options {
    /// Whether the call sends and keeps cookies. Default: ``CookieHandling/off``. Transports keep no cookies either.
    ///
    /// ```swift
    /// let client = Client(transport: .urlSession, services: [.shop]) { $0.cookies = .jar() }     // import TarmacCookies
    /// try await client.get("/anonymous") { $0.cookies = .off }
    /// ```
    /// A call with its own Cookie field sends that field, and keeps the cookies it receives.
    public var cookies: CookieHandling? {
        get { self[CookiesOption.self] }
        set { self[CookiesOption.self] = newValue }
    }
}

package enum CookiesOption: OptionKey {
    package static let name = "cookies"
    package static var defaultValue: CookieHandling { .off }
    package static var sharing: AnswerSharing { .exclusive }
    // Below dispatch, so that cookies set by other calls meanwhile are sent; cookies depend on the call's
    // credentials.
    package static var seat: Seat? { Seat(.preparing, order: 20) }
    package static func stage(_ value: CookieHandling, in scope: StageScope) -> (any Interceptor)? {
        value.keeper.map { CookieInterceptor(keeper: $0) }
    }
}
