/// Where cookies with an expiry date outlive a jar.
///
/// The jar loads once, before its first request, and updates whenever a cookie has changed; both on the thread of a call, so
/// answer soon. Errors become warnings of that call.
public protocol CookieStore: Sendable {
    /// Everything saved, by the principal's text; empty when nothing was.
    func load() throws -> [String: [Cookie]]
    /// Takes the place of everything saved before.
    func save(_ cookies: [String: [Cookie]]) throws
    /// Replaces what is saved by what `change` makes of it, with no other writer in between: two jars, also of two processes,
    /// may share a store, and neither loses what the other has saved.
    ///
    /// Default: ``load()``, then ``save(_:)``, which will do for a store that one jar has for itself.
    func update(_ change: ([String: [Cookie]]) -> [String: [Cookie]]) throws
}

extension CookieStore {
    public func update(_ change: ([String: [Cookie]]) -> [String: [Cookie]]) throws { try save(change(load())) }
}
