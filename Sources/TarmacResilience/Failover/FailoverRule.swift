public import TarmacCore

/// The hosts that are asked when the chosen host of a service cannot be reached.
///
/// ```swift
/// options.host = .cdn                     // falls back to the origin
/// options.failover = .off                 // only the chosen host is asked
/// options.failover = .through([.init("eu"), .init("us"), .origin])     // region after region
/// ```
/// A host is unreachable if its name is not found or if no connection is made within `connectTimeout`. For safe methods
/// (GET, HEAD, OPTIONS) a lost connection also counts. The request's body must be replayable, and no part of the
/// response may have been written to a file. A response of any status, an untrusted certificate and a call that ran out
/// of time do not cause a failover.
///
/// Each host is asked once. Each request counts as an attempt and emits ``ResilienceEvent/failedOver(to:because:)``.
///
/// Calls skip a host that could not be reached for 5 s, and for twice as long with each further failure, at most 60 s.
/// After that, one call tests the host. If all hosts are down, all are asked.
///
/// If the service has the chosen host in other environments but not in the current one, the next host is asked at once.
/// A host without TLS never follows one with TLS.
public struct FailoverRule: Hashable, Sendable, CustomStringConvertible {
    private enum Scope: Hashable {
        case automatic, toOrigin, off
        case through([HostKind])
    }
    private let scope: Scope

    /// Calls to ``TarmacCore/HostKind/cdn`` fall back to the origin, which has the data that the CDN copies. Calls to
    /// other hosts do not fall back.
    public static let automatic = FailoverRule(scope: .automatic)
    /// Calls to any host fall back to the origin.
    public static let toOrigin = FailoverRule(scope: .toOrigin)
    /// Calls do not fall back to another host.
    public static let off = FailoverRule(scope: .off)
    /// Calls to any host fall back to `hosts`, in their order. Each host is asked once.
    public static func through(_ hosts: [HostKind]) -> FailoverRule { FailoverRule(scope: .through(hosts)) }

    /// Returns the hosts to ask, in their order, if one cannot be reached.
    func hosts(after kind: HostKind) -> [HostKind] {
        switch scope {
        case .automatic: kind == .cdn ? [.origin] : []
        case .toOrigin: kind == .origin ? [] : [.origin]
        case .through(let hosts): hosts.filter { $0 != kind }
        case .off: []
        }
    }

    public var description: String {
        switch scope {
        case .automatic: "from the CDN to the origin"
        case .toOrigin: "to the origin"
        case .through(let hosts): "through \(hosts.map(\.name).joined(separator: ", "))"
        case .off: "off"
        }
    }
}
