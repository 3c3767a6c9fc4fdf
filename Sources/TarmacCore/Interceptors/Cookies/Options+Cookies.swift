extension Options {
    /// Whether the call sends and keeps cookies (XF-4). Default: ``CookieHandling/off``; transports keep none either.
    ///
    /// ```swift
    /// let client = Client(transport: .urlSession, services: [.shop]) { $0.cookies = .jar() }     // import TarmacCookies
    /// try await client.get("/anonymous") { $0.cookies = .off }
    /// ```
    /// A call that has a Cookie field of its own sends that, and keeps what it is sent.
    public var cookies: CookieHandling? {
        get { self[CookiesOption.self] }
        set { self[CookiesOption.self] = newValue }
    }
}

package enum CookiesOption: OptionKey {
    package static let name = "cookies"
    package static var defaultValue: CookieHandling { .off }
    package static var sharing: AnswerSharing { .exclusive }
    // What a cookie of another call set meanwhile is sent, and cookies go by the credentials of the call.
    package static var seat: Seat? { Seat(.preparing, order: 20) }
    package static func stage(_ value: CookieHandling, in scope: StageScope) -> (any Interceptor)? {
        value.keeper.map { CookieInterceptor(keeper: $0) }
    }
}
