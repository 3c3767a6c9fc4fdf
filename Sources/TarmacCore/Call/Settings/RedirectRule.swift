/// The rule for redirects: whether they are followed, how many, and to which URLs.
///
/// ```swift
/// options.redirects = .follow(limit: 3)
/// options.redirects = .off                             // the 3xx response itself is judged
/// options.redirects = .follow.allowingDowngrade()      // https → http, never by default
/// ```
public struct RedirectRule: Hashable, Sendable {
    private enum Scope: Hashable { case everywhere, sameOrigin, nowhere }

    private let scope: Scope
    /// The largest number of redirects that one call follows. One more throws `TarmacError(.redirectRefused)`.
    package let limit: Int
    /// Whether a redirect may lead from https to http, where everyone on the path can read and change the rest of the
    /// call. Default: `false`. Such a redirect throws `TarmacError(.redirectRefused)`.
    let allowsDowngrade: Bool

    private init(_ scope: Scope, limit: Int = 10, allowsDowngrade: Bool = false) {
        self.scope = scope
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
    }

    /// A rule that follows at most 10 redirects.
    public static let follow = RedirectRule(.everywhere)

    /// Returns a rule that follows at most `limit` redirects, 0 or more.
    public static func follow(limit: Int) -> RedirectRule { RedirectRule(.everywhere, limit: limit) }

    /// A rule that follows at most 10 redirects while scheme, host and port stay the same. Any other redirect throws
    /// `TarmacError(.redirectRefused)`.
    public static let sameOriginOnly = RedirectRule(.sameOrigin)

    /// A rule that follows no redirects: the 3xx response is the call's response.
    public static let off = RedirectRule(.nowhere, limit: 0)

    /// Returns a rule that also follows redirects from https to http. Redirects to another machine also need
    /// ``Options/allowsInsecureHTTP``.
    public func allowingDowngrade() -> RedirectRule {
        RedirectRule(scope, limit: limit, allowsDowngrade: true)
    }

    /// Whether any redirect is followed.
    package var follows: Bool { scope != .nowhere }
    /// Whether scheme, host and port must stay the same.
    var staysInOrigin: Bool { scope == .sameOrigin }
    /// The reason the rule is invalid, or `nil`.
    var fault: String? { limit < 0 ? "a limit of \(limit) redirects is less than none" : nil }
}

extension RedirectRule: CustomStringConvertible {
    public var description: String {
        let downgrade = allowsDowngrade ? ", EVEN FROM https TO http" : ""
        return switch scope {
        case .nowhere: "off"
        case .sameOrigin: "at most \(limit), same origin only"
        case .everywhere: "at most \(limit)\(downgrade)"
        }
    }
}
