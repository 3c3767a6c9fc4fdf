@_spi(TarmacRooms) public import TarmacCore
import TarmacSupport

extension Options {
    /// The rule for repeating failed requests. Default: ``RetryRule/never``.
    public var retry: RetryRule? {
        get { self[Settings.retry] }
        set { self[Settings.retry] = newValue }
    }

    /// The hosts that are asked if the chosen host cannot be reached. Default: ``FailoverRule/automatic``, calls to a
    /// CDN fall back to the origin.
    public var failover: FailoverRule? {
        get { self[Settings.failover] }
        set { self[Settings.failover] = newValue }
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
        get { self[Settings.waitsForConnectivity] }
        set { self[Settings.waitsForConnectivity] = newValue }
    }
}

extension Settings {
    package static let retry = Setting<RetryRule>("retry", default: .never) {
        $0.fault = { $0.fault }
        $0.stage(at: .retry) { rule, scope in
            rule.retries && !scope.option(Settings.isRepeatedBySender) ? RetryInterceptor(rule: rule, state: scope.state(ServiceResilience.self)) : nil
        }
    }

    package static let failover = Setting<FailoverRule>("failover", default: .automatic) {
        $0.sharing = .compared
        $0.stage(at: .failover) { rule, scope in
            if rule.hosts(after: scope.values.host).isEmpty { return nil }
            return FailoverInterceptor(rule: rule, hosts: scope.state(HostAvailability.self))
        }
        $0.substitutes = { kind, rule in rule.hosts(after: kind) }
    }

    package static let waitsForConnectivity = Setting("waitsForConnectivity", default: false) {
        $0.stage(at: .connectivity) { waits, scope in
            waits ? ConnectivityInterceptor(gate: scope.state(ServiceResilience.self).connectivity) : nil
        }
    }
}

// Outermost first: a retry asks the hosts again, and each host has its own circuit (TarmacTraffic, from 40).
extension Seat {
    static let retry = Seat(.repeating, order: 10)
    static let connectivity = Seat(.repeating, order: 20)
    static let failover = Seat(.repeating, order: 30)
}
