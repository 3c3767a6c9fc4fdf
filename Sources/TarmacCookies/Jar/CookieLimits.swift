/// How many cookies a jar keeps; RFC 6265bis §6.1 asks for 50 and 3,000 at least.
public struct CookieLimits: Sendable, Hashable {
    /// Of one domain, for each principal. Default 100.
    public var perDomain: Int
    /// Of all domains, for each principal. Default 3,000.
    public var total: Int
    /// Principals; the one unused for longest is forgotten. Default 1,000.
    public var principals: Int

    public init(perDomain: Int = 100, total: Int = 3_000, principals: Int = 1_000) {
        self.perDomain = perDomain
        self.total = total
        self.principals = principals
    }
}
