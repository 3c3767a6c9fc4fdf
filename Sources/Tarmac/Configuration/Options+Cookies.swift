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

enum CookiesOption: BuiltInOption {
    static let name = "cookies"
    typealias Value = CookieHandling
    static var field: WritableKeyPath<OptionValues, CookieHandling> { \.cookies }
}
