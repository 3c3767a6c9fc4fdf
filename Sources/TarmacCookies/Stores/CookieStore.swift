/// A store that keeps cookies with an expiry date beyond the life of a jar.
///
/// The jar loads the cookies before its first request, on a thread of its own, and those of files and of SQLite again after another jar has
/// changed them. Calls wait for them, each until its own
/// deadline. The jar applies changes behind its calls, at the latest a second after the first of them. Errors become warnings of
/// a call.
public protocol CookieStore: Sendable {
    /// Returns the saved cookies by the text of their principal. Empty if there are none.
    func load() throws -> [String: [Cookie]]
    /// Returns the saved cookies of one principal, by its text. Empty if there are none.
    ///
    /// A jar that has forgotten a principal asks for its cookies at its next use, on the thread of that call.
    ///
    /// Default: those of ``load()``.
    func cookies(of principal: String) throws -> [Cookie]
    /// Whether ``cookies(of:)`` reads the cookies of one principal alone, so that a jar keeps no more principals than
    /// ``CookieLimits/principals`` in memory. Default: `false`.
    var readsByPrincipal: Bool { get }
    /// Replaces the saved cookies.
    func save(_ cookies: [String: [Cookie]]) throws
    /// Changes the saved cookies without another writer in between.
    ///
    /// Two jars, also of two processes, may share a store. Neither loses the cookies that the other has saved.
    ///
    /// Default: ``load()``, then ``save(_:)``, which is sufficient for a store that only one jar uses.
    func update(_ change: ([String: [Cookie]]) -> [String: [Cookie]]) throws
    /// Applies changes to the saved cookies without another writer in between.
    ///
    /// Default: ``update(_:)`` with ``CookieChanges/applied(to:)``, which loads and saves all cookies. A store of many
    /// cookies writes the changed ones alone.
    func apply(_ changes: CookieChanges) throws
}

extension CookieStore {
    public func cookies(of principal: String) throws -> [Cookie] { try load()[principal] ?? [] }
    public var readsByPrincipal: Bool { false }
    public func update(_ change: ([String: [Cookie]]) -> [String: [Cookie]]) throws { try save(change(load())) }
    public func apply(_ changes: CookieChanges) throws { try update { changes.applied(to: $0) } }
}
