@_spi(TarmacRooms) public import TarmacCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie jar by RFC 6265bis that keeps cookies apart by principal, service and environment.
///
/// ```swift
/// let client = Client(transport: .asyncHTTPClient, services: [.shop]) { $0.cookies = .jar() }
/// let jar = CookieJar(store: FileCookieStore(path: "/var/lib/shop/cookies.json"))      // kept across restarts
/// ```
/// A jar belongs to one client unless the app gives it to several. The jar refuses cookies for a public suffix, Secure
/// cookies from an unencrypted origin, and `__Host-` and `__Secure-` cookies that break the rules of their prefix. This
/// machine (`localhost`, `127.0.0.0/8`, `::1`) counts as encrypted.
///
/// A jar with a store gathers changes and writes them after a second (to a file or database, the first ones after 10 ms), in ``flush()``,
/// when a client that uses the jar shuts down, and when an app on an Apple platform goes to the background. A process that crashes or
/// exits before loses them.
public final class CookieJar: CookieKeeper {
    let state: Locked<CookieJarState>
    let store: (any CookieStore)?
    private let limits: CookieLimits
    /// The clock of the writes behind the calls.
    let time: any TimeSource
    #if canImport(Darwin)
    private let background = Locked<BackgroundObserver?>(nil)
    #endif

    /// Creates a jar.
    ///
    /// - Parameters:
    ///   - store: keeps cookies with an expiry date beyond the life of the jar. Default: no store.
    ///   - limits: the number of cookies to keep.
    public convenience init(store: (any CookieStore)? = nil, limits: CookieLimits = CookieLimits()) {
        self.init(store: store, limits: limits, time: .system)
    }

    init(store: (any CookieStore)?, limits: CookieLimits = CookieLimits(), time: any TimeSource) {
        self.store = store
        self.limits = limits
        self.time = time
        state = Locked(CookieJarState(limits: limits, storage: store.map { $0.readsByPrincipal ? .byPrincipal : .whole } ?? .none))
        #if canImport(Darwin)
        guard store != nil else { return }
        let observer = BackgroundObserver { [weak self] in self?.writeNow() }
        background.withLock { $0 = observer }
        #endif
    }

    // MARK: CookieKeeper

    public var isDurable: Bool { store != nil }

    public func cookieField(for url: HTTPURL, scope: CookieScope, at date: Date) throws -> String? {
        try loadForCall(date)
        let (field, mustWrite) = try withOwner(of: scope) { state, owner in
            let field = owner.table.field(for: url, at: date)
            return (field, state.noteUse(of: owner))
        }
        if mustWrite { writeLater() }
        return field
    }

    public func keep(_ fields: [String], from url: HTTPURL, scope: CookieScope, at date: Date) throws {
        try loadForCall(date, isAgain: false)
        let rule = CookieRule(url: url, date: date)
        try keep(fields.prefix(max(limits.perDomain, 0)).compactMap { try? rule.cookie(of: $0) }, isTrusted: CookieRules.isTrusted(url), scope, date)
    }

    private func keep(_ cookies: [Cookie], isTrusted: Bool, _ scope: CookieScope, _ date: Date) throws {
        let (mustWrite, failure) = try withOwner(of: scope) { state, owner in
            for cookie in cookies { owner.table.keep(cookie, isTrusted: isTrusted, at: date) }
            return state.noteChanges(of: owner, at: date)
        }
        if mustWrite { writeLater() }
        if let failure { throw failure }
    }

    // MARK: Content

    /// The cookies of all principals, by domain, path and name.
    public var cookies: [Cookie] { state.withLock { $0.cookies } }

    /// Returns the cookies of one principal that have not expired, by domain, path and name. See
    /// ``Client/cookieScope(for:configure:)``.
    ///
    /// - Throws: the error of the store, which is read at the first use.
    public func cookies(of scope: CookieScope, at date: Date = Date()) throws -> [Cookie] {
        try load(date)
        return try withOwner(of: scope) { _, owner in owner.table.all.filter { !$0.isExpired(at: date) } }
    }

    /// Adds cookies of another cookie storage. A cookie that is not Secure never hides a Secure one of the jar.
    func keep(_ cookies: [CookieProperties], scope: CookieScope, at date: Date = Date()) throws {
        try load(date)
        try keep(cookies.compactMap { $0.cookie(at: date) }, isTrusted: false, scope, date)
    }

    /// Removes cookies, for example all of them when a user logs out. Cookies that another jar has put into the store
    /// are removed too. The store is updated before the method returns, unless a write of the jar is under way: that one removes the
    /// cookies once more when it ends. ``flush()`` waits for it.
    public func removeCookies(at date: Date = Date(), where isGone: (Cookie) -> Bool = { _ in true }) throws {
        try load(date)
        state.withLock { $0.remove(at: date, where: isGone) }
        do {
            defer { state.withLock { $0.endRemoval(where: isGone) } }
            try store?.update { $0.mapValues { $0.filter { !isGone($0) } }.filter { !$0.value.isEmpty } }
            writeNow()
            try throwFailure()
        } catch {
            // The removals that the jar knows of are written later. Otherwise they would wait for the next change.
            if state.withLock({ $0.writing.change() }) { writeLater() }
            throw error
        }
    }
}

extension CookieJar: MaskedReflectable {
    public var description: String { "a jar of \(cookies.count) cookies" }
}

extension CookieHandling {
    /// Returns a handling that keeps cookies in a jar. Default: a new jar in memory.
    public static func jar(_ jar: CookieJar = CookieJar()) -> CookieHandling { .keeper(jar) }
}
