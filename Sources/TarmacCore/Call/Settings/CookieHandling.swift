/// Whether calls send and keep cookies, and where: ``Options/cookies``.
public struct CookieHandling: Sendable, CustomStringConvertible {
    package let keeper: (any CookieKeeper)?

    /// No cookie is sent or kept.
    public static let off = CookieHandling(keeper: nil)

    /// Cookies are kept by `keeper`. Clients that are given one keeper share its cookies.
    public static func keeper(_ keeper: any CookieKeeper) -> CookieHandling { CookieHandling(keeper: keeper) }

    public var description: String { keeper.map { "\(type(of: $0))" } ?? "off" }
}
