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

enum CookiesOption: OptionKey {
    static let name = "cookies"
    static var defaultValue: CookieHandling { .off }
    static var sharing: AnswerSharing { .exclusive }
    // What a cookie of another call set meanwhile is sent, and cookies go by the credentials of the call.
    static var seat: Seat? { Seat(.preparing, order: 20) }
    static func stage(_ value: CookieHandling, in scope: StageScope) -> (any Interceptor)? {
        value.keeper.map { CookieInterceptor(keeper: $0) }
    }
}
