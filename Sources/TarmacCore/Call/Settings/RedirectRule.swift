/// Whether redirects are followed, how many, and where to.
///
/// ```swift
/// options.redirects = .follow(limit: 3)
/// options.redirects = .off                             // the 3xx response itself is judged
/// options.redirects = .follow.allowingDowngrade()      // https → http, never by default
/// ```
public struct RedirectRule: Hashable, Sendable {
    private enum Scope: Hashable { case everywhere, sameOrigin, nowhere }

    private let scope: Scope
    /// How many redirects one call follows at most; one more is `TarmacError(.tooManyRedirects)`.
    public let limit: Int
    /// Whether a redirect may lead from https to http, where everyone on the way can read and change the rest of the
    /// call. Default `false`: such a redirect is `TarmacError(.redirectRefused)`.
    public let allowsDowngrade: Bool

    private init(_ scope: Scope, limit: Int = 10, allowsDowngrade: Bool = false) {
        self.scope = scope
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
    }

    /// Follows 10 redirects at most.
    public static let follow = RedirectRule(.everywhere)

    /// Follows as many redirects as said, 0 or more.
    public static func follow(limit: Int) -> RedirectRule { RedirectRule(.everywhere, limit: limit) }

    /// Follows 10 redirects at most, as long as scheme, host and port stay the same; any other is
    /// `TarmacError(.redirectRefused)`.
    public static let sameOriginOnly = RedirectRule(.sameOrigin)

    /// Follows none: the 3xx response is the call's answer.
    public static let off = RedirectRule(.nowhere, limit: 0)

    /// The same rule, under which https may lead to http: to this machine, and to others where
    /// ``Options/allowsInsecureHTTP`` says so too.
    public func allowingDowngrade() -> RedirectRule {
        RedirectRule(scope, limit: limit, allowsDowngrade: true)
    }

    /// Whether any redirect is followed.
    package var follows: Bool { scope != .nowhere }
    /// Whether scheme, host and port have to stay the same.
    var staysInOrigin: Bool { scope == .sameOrigin }
    /// Why the rule cannot be used.
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
