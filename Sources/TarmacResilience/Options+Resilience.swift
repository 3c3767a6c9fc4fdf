@_spi(TarmacRooms) public import TarmacCore
import TarmacSupport

extension Options {
    /// The rule for repeating failed requests. Default: ``RetryRule/never``.
    public var retry: RetryRule? {
        get { self[RetryOption.self] }
        set { self[RetryOption.self] = newValue }
    }

    /// The hosts that are asked if the chosen host cannot be reached. Default: ``FailoverRule/automatic``, calls to a
    /// CDN fall back to the origin.
    public var failover: FailoverRule? {
        get { self[FailoverOption.self] }
        set { self[FailoverOption.self] = newValue }
    }

    /// Whether a call that cannot reach its host because there is no network waits for a network. Default: `false`, the
    /// call fails.
    ///
    /// The call waits after its first attempt if the host's name was not found, there was no route to the host, or no
    /// connection was made in time. Nothing was sent in these cases, so any method may wait. The call continues as soon
    /// as there is a network. It fails with the error of the attempt once its `queueTimeout`, counted from its first
    /// failure, or its `deadline`, counted from its start, has passed. It holds no slot while it waits. Without these
    /// limits it waits until it is cancelled.
    ///
    /// The client's ``ConnectivityMonitor`` reports the state of the network. On Apple platforms, it is the path
    /// monitor: if a host is not reached although there is a network, the call tries once more and then fails. On
    /// Linux, the state is unknown: one waiting call of each host tries after 1 s, then after twice as long each time,
    /// at most 30 s. When it succeeds, the others continue too.
    public var waitsForConnectivity: Bool? {
        get { self[WaitsForConnectivity.self] }
        set { self[WaitsForConnectivity.self] = newValue }
    }
}

package enum RetryOption: OptionKey {
    package static let name = "retry"
    package static var defaultValue: RetryRule { RetryRule.never }
    package static func fault(of value: RetryRule) -> String? { value.fault }
    package static var seat: Seat? { .retry }
    package static func stage(_ rule: RetryRule, in scope: StageScope) -> (any Interceptor)? {
        rule.retries && !scope.option(RepeatedBySender.self) ? RetryInterceptor(rule: rule, state: scope.state(ServiceResilience.self)) : nil
    }
}

package enum FailoverOption: SubstituteHostOption {
    package static let name = "failover"
    package static var defaultValue: FailoverRule { FailoverRule.automatic }
    package static var sharing: ResponseSharing { .compared }
    package static var seat: Seat? { .failover }
    package static func stage(_ rule: FailoverRule, in scope: StageScope) -> (any Interceptor)? {
        if rule.hosts(after: scope.values.host).isEmpty { return nil }
        return FailoverInterceptor(rule: rule, hosts: scope.state(HostAvailability.self))
    }
    package static func substitutes(for kind: HostKind, _ rule: FailoverRule) -> [HostKind] { rule.hosts(after: kind) }
}

package enum WaitsForConnectivity: OptionKey {
    package static let name = "waitsForConnectivity"
    package static var defaultValue: Bool { false }
    package static var seat: Seat? { .connectivity }
    package static func stage(_ waits: Bool, in scope: StageScope) -> (any Interceptor)? {
        waits ? ConnectivityInterceptor(gate: scope.state(ServiceResilience.self).connectivity) : nil
    }
}

// Outermost first: a retry asks the hosts again, and each host has its own circuit (TarmacTraffic, from 40).
extension Seat {
    static let retry = Seat(.repeating, order: 10)
    static let connectivity = Seat(.repeating, order: 20)
    static let failover = Seat(.repeating, order: 30)
}
