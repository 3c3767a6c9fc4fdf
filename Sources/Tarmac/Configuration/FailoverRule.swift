/// Which host is asked when the chosen one cannot be reached.
///
/// ```swift
/// options.host = .cdn                     // falls back to the origin
/// options.failover = .off                 // the CDN or nothing
/// ```
/// What counts as unreachable: the host's name is not found, or no connection could be made, within `connectTimeout` too;
/// for safe methods (GET, HEAD, OPTIONS) also a connection that was lost. The request's body must be one that can be sent
/// again, and none of the response may have gone into a file. An answer of whatever status, a certificate that is not
/// trusted and a call that ran out of its time are no reason. The origin is asked once; the events say so
/// (``CallEvent/Kind/failedOver(to:because:)``), and both requests count as attempts. Where the service has the
/// chosen host in other environments but not in this one, its origin is asked at once.
public struct FailoverRule: Hashable, Sendable, CustomStringConvertible {
    private enum Scope: String { case automatic, toOrigin, off }
    private let scope: Scope

    /// Calls to ``HostKind/cdn`` fall back to the origin, since it has what the CDN copies. Those to other hosts do not.
    public static let automatic = FailoverRule(scope: .automatic)
    /// Calls to any host fall back to the origin.
    public static let toOrigin = FailoverRule(scope: .toOrigin)
    /// None does.
    public static let off = FailoverRule(scope: .off)

    /// Whether calls to a host fall back to the origin.
    func fallsBack(from kind: HostKind) -> Bool {
        switch scope {
        case .automatic: kind == .cdn
        case .toOrigin: kind != .origin
        case .off: false
        }
    }

    public var description: String {
        switch scope {
        case .automatic: "from the CDN to the origin"
        case .toOrigin: "to the origin"
        case .off: "off"
        }
    }
}
