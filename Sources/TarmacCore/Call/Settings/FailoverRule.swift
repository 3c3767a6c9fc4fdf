/// Which host is asked when the chosen one cannot be reached.
///
/// ```swift
/// options.host = .cdn                     // falls back to the origin
/// options.failover = .off                 // the CDN or nothing
/// options.failover = .through([.init("eu"), .init("us"), .origin])     // region after region
/// ```
/// What counts as unreachable: the host's name is not found, or no connection could be made, within `connectTimeout` too;
/// for safe methods (GET, HEAD, OPTIONS) also a connection that was lost. The request's body must be one that can be sent
/// again, and none of the response may have gone into a file. An answer of whatever status, a certificate that is not
/// trusted and a call that ran out of its time are no reason. Each host is asked once; the events say so
/// (``CallEvent/Kind/failedOver(to:because:)``), and each request counts as an attempt. A host that could not be reached is
/// passed over for 5 s, for twice as long with each further failure, a minute at most; then one call sees whether it is back.
/// Where all are down, all are asked. Where the service has the chosen host in other environments but not in this one, the
/// next is asked at once. No host without TLS follows one with it.
public struct FailoverRule: Hashable, Sendable, CustomStringConvertible {
    private enum Scope: Hashable {
        case automatic, toOrigin, off
        case through([HostKind])
    }
    private let scope: Scope

    /// Calls to ``HostKind/cdn`` fall back to the origin, since it has what the CDN copies. Those to other hosts do not.
    public static let automatic = FailoverRule(scope: .automatic)
    /// Calls to any host fall back to the origin.
    public static let toOrigin = FailoverRule(scope: .toOrigin)
    /// None does.
    public static let off = FailoverRule(scope: .off)
    /// Calls to any host fall back to these, in their order; each host is asked once.
    public static func through(_ hosts: [HostKind]) -> FailoverRule { FailoverRule(scope: .through(hosts)) }

    /// The hosts to ask, in their order, when one cannot be reached.
    func hosts(after kind: HostKind) -> [HostKind] {
        switch scope {
        case .automatic: kind == .cdn ? [.origin] : []
        case .toOrigin: kind == .origin ? [] : [.origin]
        case .through(let hosts): hosts.filter { $0 != kind }
        case .off: []
        }
    }

    /// Whether there is another host to ask.
    func fallsBack(from kind: HostKind) -> Bool { !hosts(after: kind).isEmpty }

    public var description: String {
        switch scope {
        case .automatic: "from the CDN to the origin"
        case .toOrigin: "to the origin"
        case .through(let hosts): "through \(hosts.map(\.name).joined(separator: ", "))"
        case .off: "off"
        }
    }
}
