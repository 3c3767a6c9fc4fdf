/// The rule that decides whether calls send and keep cookies, and where. See ``Options/cookies``.
public struct CookieHandling: Sendable, CustomStringConvertible {
    package let keeper: (any CookieKeeper)?

    /// A rule that sends and keeps no cookies.
    public static let off = CookieHandling(keeper: nil)

    /// Returns a rule that keeps cookies in `keeper`. Clients with the same keeper share its cookies.
    public static func keeper(_ keeper: any CookieKeeper) -> CookieHandling { CookieHandling(keeper: keeper) }

    public var description: String { keeper.map { "\(type(of: $0))" } ?? "off" }
}
