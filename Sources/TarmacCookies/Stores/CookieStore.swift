/// Where cookies with an expiry date outlive a jar.
///
/// The jar loads once, before its first request, and saves whenever a cookie has changed; both on the thread of a call, so
/// answer soon. Errors become warnings of that call.
public protocol CookieStore: Sendable {
    /// Everything saved, by the principal's text; empty when nothing was.
    func load() throws -> [String: [Cookie]]
    /// Takes the place of everything saved before.
    func save(_ cookies: [String: [Cookie]]) throws
}
