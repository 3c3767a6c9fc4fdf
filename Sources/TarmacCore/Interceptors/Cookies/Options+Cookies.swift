@_spi(TarmacRooms) import TarmacHTTP

extension Options {
    /// Whether the call sends and keeps cookies. Default: ``CookieHandling/off``. Transports keep no cookies either.
    ///
    /// ```swift
    /// let client = Client(transport: .urlSession, services: [.shop]) { $0.cookies = .jar() }     // import TarmacCookies
    /// try await client.get("/anonymous") { $0.cookies = .off }
    /// ```
    /// A call with its own Cookie field sends that field, and keeps the cookies it receives.
    public var cookies: CookieHandling? {
        get { self[Settings.cookies] }
        set { self[Settings.cookies] = newValue }
    }
}

extension Settings {
    package static let cookies = Setting<CookieHandling>("cookies", default: .off) {
        $0.sharing = .exclusive
        // Below dispatch, so that cookies set by other calls meanwhile are sent; cookies depend on the call's
        // credentials.
        $0.stage(at: Seat(.preparing, order: 20)) { value, scope in
            guard let keeper = value.keeper else { return nil }
            if keeper.isDurable { scope.state(DurableCookies.self).add(keeper) }
            return CookieInterceptor(keeper: keeper)
        }
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
