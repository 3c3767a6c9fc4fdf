/// The maximum number of cookies in a jar. RFC 6265bis §6.1 asks for at least 50 for each domain and 3,000 in total. A number below
/// zero counts as zero, and there is always one principal.
public struct CookieLimits: Sendable, Hashable {
    /// The maximum for one domain, for each principal. Default: 100.
    public var perDomain: Int
    /// The maximum for all domains, for each principal. Default: 3,000.
    public var total: Int
    /// The maximum number of principals. The one unused for longest is removed. Default: 1,000.
    public var principals: Int

    public init(perDomain: Int = 100, total: Int = 3_000, principals: Int = 1_000) {
        self.perDomain = perDomain
        self.total = total
        self.principals = principals
    }
}
