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
    package static var sharing: ResponseSharing { .exclusive }
    // Below dispatch, so that cookies set by other calls meanwhile are sent; cookies depend on the call's
    // credentials.
    package static var seat: Seat? { Seat(.preparing, order: 20) }
    package static func stage(_ value: CookieHandling, in scope: StageScope) -> (any Interceptor)? {
        guard let keeper = value.keeper else { return nil }
        if keeper.isDurable { scope.state(DurableCookies.self).add(keeper) }
        return CookieInterceptor(keeper: keeper)
    }
}

/// The keepers whose cookies a client writes when it shuts down.
final class DurableCookies: ClientState {
    private let keepers = Locked<[ObjectIdentifier: any CookieKeeper]>([:])
    private let time: any TimeSource

    init(_ client: ClientScope) { time = client.time }

    func add(_ keeper: any CookieKeeper) {
        if type(of: keeper) is any AnyObject.Type { keepers.withLock { $0[ObjectIdentifier(keeper as AnyObject)] = keeper } }
    }

    // The calls have ended, so no call can report a failure. A keeper that hangs delays a shutdown by 30 s.
    func flush() async {
        await time.wait(atMost: .seconds(30)) { [keepers = keepers.withLock { Array($0.values) }] in
            await withTaskGroup { group in for keeper in keepers { group.addTask { try? await keeper.flush() } } }
        }
    }
}
