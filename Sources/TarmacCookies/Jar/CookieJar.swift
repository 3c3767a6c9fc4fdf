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
public final class CookieJar: CookieKeeper {
    fileprivate struct State {
        var shelves: [CookieScope: CookieTable] = [:]
        /// The time of the last use of each, in steps.
        var used: [CookieScope: Int] = [:]
        var steps = 0
        /// The stored cookies of principals that were not used yet.
        var stored: [String: [Cookie]] = [:]
        /// The cookies of the jar that the store contains.
        var saved: [String: [Cookie]] = [:]
        /// Whether there is a store and it was read.
        var isLoaded = false
        var isSaving = false
        /// Whether there are changes since the snapshot that is being saved.
        var isDirty = false
    }
    private let state = Locked(State())
    private let store: (any CookieStore)?
    private let limits: CookieLimits

    /// Creates a jar.
    ///
    /// - Parameters:
    ///   - store: keeps cookies with an expiry date beyond the life of the jar. Default: no store.
    ///   - limits: the number of cookies to keep.
    public init(store: (any CookieStore)? = nil, limits: CookieLimits = CookieLimits()) {
        self.store = store
        self.limits = limits
    }

    // MARK: CookieKeeper

    public func cookieField(for url: HTTPURL, scope: CookieScope, at date: Date) throws -> String? {
        try load(date)
        let cookies = state.withLock { $0.shelf(scope, limits) { $0.cookies(for: url, at: date) } }
        return cookies.isEmpty ? nil : cookies.map(\.pair).joined(separator: "; ")
    }

    public func keep(_ fields: [String], from url: HTTPURL, scope: CookieScope, at date: Date) throws {
        let rule = CookieRule(url: url, date: date)
        try keep(fields.prefix(limits.perDomain).compactMap { try? rule.cookie(of: $0) }, isTrusted: CookieRules.isTrusted(url), scope, date)
    }

    private func keep(_ cookies: [Cookie], isTrusted: Bool, _ scope: CookieScope, _ date: Date) throws {
        try load(date)
        let isChanged = state.withLock { state in
            state.shelf(scope, limits) { shelf in cookies.reduce(false) { shelf.keep($1, isTrusted: isTrusted, at: date) || $0 } }
        }
        if isChanged { try save(date) }
    }

    // MARK: Content

    /// The cookies of all principals, by domain, path and name.
    public var cookies: [Cookie] { state.withLock { $0.shelves.values.flatMap(\.all) } }

    /// Returns the cookies of one principal that have not expired, by domain, path and name. See
    /// ``Client/cookieScope(for:configure:)``.
    ///
    /// - Throws: the error of the store, which is read at the first use.
    public func cookies(of scope: CookieScope, at date: Date = Date()) throws -> [Cookie] {
        try load(date)
        return state.withLock { $0.shelf(scope, limits) { shelf in shelf.all.filter { !$0.isExpired(at: date) } } }
    }

    /// Adds cookies of another cookie storage. A cookie that is not Secure never hides a Secure one of the jar.
    func keep(_ cookies: [CookieProperties], scope: CookieScope, at date: Date = Date()) throws {
        try keep(cookies.compactMap { $0.cookie(at: date) }, isTrusted: false, scope, date)
    }

    /// Removes cookies, for example all of them when a user logs out. Cookies that another jar has put into the store
    /// are removed too.
    public func removeCookies(at date: Date = Date(), where isGone: (Cookie) -> Bool = { _ in true }) throws {
        try load(date)
        state.withLock { state in
            for scope in state.shelves.keys { state.shelves[scope]?.remove(where: isGone) }
            for text in state.stored.keys { state.stored[text]?.removeAll(where: isGone) }
        }
        try store?.update { $0.mapValues { $0.filter { !isGone($0) } }.filter { !$0.value.isEmpty } }
        try save(date)
    }

    // MARK: The store

    private func load(_ date: Date) throws {
        guard let store, !state.withLock({ $0.isLoaded }) else { return }
        let stored = try store.load()
        state.withLock { state in
            if state.isLoaded { return }
            state.isLoaded = true
            (state.stored, state.saved) = (stored, stored)
        }
    }

    private func save(_ date: Date) throws {
        guard let store else { return }
        // One call saves at a time, also the changes of other calls in the meantime, so that an older snapshot never
        // replaces a newer one.
        var snapshot = state.withLock { $0.beginSaving(at: date) }
        var failure: (any Error)?
        while let mine = snapshot {
            do {
                let merge = CookieMerge(base: state.withLock { $0.saved }, mine: mine, date: date)
                try store.update(merge.applied)
                state.withLock { $0.saved = mine }
                failure = nil
            } catch { failure = error }
            snapshot = state.withLock { $0.goOnSaving(at: date) }
        }
        if let failure { throw failure }
    }
}

extension CookieJar.State {
    /// Gives access to the shelf of a principal. The first access takes it from the stored cookies.
    fileprivate mutating func shelf<Value>(_ scope: CookieScope, _ limits: CookieLimits, _ body: (inout CookieTable) -> Value) -> Value {
        steps += 1
        used[scope] = steps
        var shelf = shelves.removeValue(forKey: scope) ?? restored(scope, limits)
        let value = body(&shelf)
        shelves[scope] = shelf
        if shelves.count > max(limits.principals, 1), let oldest = used.min(by: { $0.value < $1.value })?.key {
            // Durable cookies go back to the stored ones, as before the first access.
            if isLoaded, let text = oldest.durableText { stored[text] = shelves[oldest]?.all.filter { $0.expires != nil } }
            shelves[oldest] = nil
            used[oldest] = nil
        }
        return value
    }

    private mutating func restored(_ scope: CookieScope, _ limits: CookieLimits) -> CookieTable {
        var shelf = CookieTable(limits: limits)
        guard let text = scope.durableText, let cookies = stored.removeValue(forKey: text) else { return shelf }
        for cookie in cookies { shelf.keep(cookie, isTrusted: true, at: .distantPast) }
        return shelf
    }

    /// Returns the cookies to save, or `nil` if another call is saving and will save these too.
    fileprivate mutating func beginSaving(at date: Date) -> [String: [Cookie]]? {
        isDirty = isSaving
        defer { isSaving = true }
        return isSaving ? nil : durable(at: date)
    }

    fileprivate mutating func goOnSaving(at date: Date) -> [String: [Cookie]]? {
        defer { (isSaving, isDirty) = (isDirty, false) }
        return isDirty ? durable(at: date) : nil
    }

    /// Returns the durable cookies: those with an expiry date, of principals whose text may be in a file.
    fileprivate func durable(at date: Date) -> [String: [Cookie]] {
        var durable = stored
        for (scope, shelf) in shelves {
            guard let text = scope.durableText else { continue }
            durable[text] = shelf.all.filter { $0.expires != nil }
        }
        return durable.mapValues { $0.filter { !$0.isExpired(at: date) } }.filter { !$0.value.isEmpty }
    }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
    public var description: String { "a jar of \(cookies.count) cookies" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension CookieHandling {
    /// Returns a handling that keeps cookies in a jar. Default: a new jar in memory.
    public static func jar(_ jar: CookieJar = CookieJar()) -> CookieHandling { .keeper(jar) }
}
