public import TarmacCore

extension Options {
    /// Which failures are tried again. Default: none, ``RetryRule/never``.
    public var retry: RetryRule? {
        get { self[RetryOption.self] }
        set { self[RetryOption.self] = newValue }
    }

    /// Which hosts are asked when the chosen one cannot be reached. Default: calls to a CDN fall back to the origin,
    /// ``FailoverRule/automatic``.
    public var failover: FailoverRule? {
        get { self[FailoverOption.self] }
        set { self[FailoverOption.self] = newValue }
    }

    /// When a second request is sent beside a slow one. Default: never, ``HedgeRule/off``.
    public var hedge: HedgeRule? {
        get { self[HedgeOption.self] }
        set { self[HedgeOption.self] = newValue }
    }

    /// Whether a call that cannot reach its host for want of a network waits for one. Default: no, it fails.
    ///
    /// It waits after its first try, when no name was found, no way led there or no connection came about in time; nothing was
    /// sent, so any method may. It goes on as soon as there is a network again, fails with what it could not reach once
    /// `queueTimeout` or `deadline` has passed, counted from its first failure or its take-off, and holds no slot meanwhile.
    /// With neither it waits until it is cancelled.
    ///
    /// What there is to know of the network the client's ``ConnectivityMonitor`` says. On Apple platforms it is the path
    /// monitor: a host that is not reached although there is a network is tried once more, and then a failure. On Linux nothing
    /// is known, and one waiting call of each host tries after 1 s, then after twice as long each time, 30 s at most; when
    /// it gets through, so do the others.
    public var waitsForConnectivity: Bool? {
        get { self[WaitsForConnectivity.self] }
        set { self[WaitsForConnectivity.self] = newValue }
    }

    /// When a host that fails is left alone. Default: never, ``CircuitBreakerRule/off``.
    public var circuitBreaker: CircuitBreakerRule? {
        get { self[CircuitBreakerOption.self] }
        set { self[CircuitBreakerOption.self] = newValue }
    }

    /// How many requests the service is sent in a span of time. Default: no limit, ``RateLimitRule/off``.
    public var rateLimit: RateLimitRule? {
        get { self[RateLimitOption.self] }
        set { self[RateLimitOption.self] = newValue }
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
    package static var sharing: AnswerSharing { .compared }
    package static var seat: Seat? { .failover }
    package static func stage(_ rule: FailoverRule, in scope: StageScope) -> (any Interceptor)? {
        if rule.hosts(after: scope.values.host).isEmpty { return nil }
        return FailoverInterceptor(rule: rule, hosts: scope.state(HostAvailability.self))
    }
    package static func substitutes(for kind: HostKind, _ rule: FailoverRule) -> [HostKind] { rule.hosts(after: kind) }
}

package enum HedgeOption: OptionKey {
    package static let name = "hedge"
    package static var defaultValue: HedgeRule { HedgeRule.off }
    package static func fault(of value: HedgeRule) -> String? { value.fault }
    package static var seat: Seat? { .hedge }
    package static func stage(_ rule: HedgeRule, in scope: StageScope) -> (any Interceptor)? {
        rule.isOff ? nil : HedgeInterceptor(rule: rule, state: scope.state(ServiceResilience.self))
    }
}

package enum WaitsForConnectivity: OptionKey {
    package static let name = "waitsForConnectivity"
    package static var defaultValue: Bool { false }
    package static var seat: Seat? { .connectivity }
    package static func stage(_ waits: Bool, in scope: StageScope) -> (any Interceptor)? {
        waits ? ConnectivityInterceptor(gate: scope.state(ServiceResilience.self).connectivity) : nil
    }
}

package enum CircuitBreakerOption: OptionKey {
    package static let name = "circuitBreaker"
    package static var defaultValue: CircuitBreakerRule { CircuitBreakerRule.off }
    package static func fault(of value: CircuitBreakerRule) -> String? { value.fault }
    package static var seat: Seat? { .circuitBreaker }
    package static func stage(_ rule: CircuitBreakerRule, in scope: StageScope) -> (any Interceptor)? {
        if rule.isOff { return nil }
        let waits = scope.option(WaitsForConnectivity.self)
        return BreakerInterceptor(rule: rule, state: scope.state(ServiceResilience.self), waitsForConnectivity: waits)
    }
}

package enum RateLimitOption: OptionKey {
    package static let name = "rateLimit"
    package static var defaultValue: RateLimitRule { RateLimitRule.off }
    package static func fault(of value: RateLimitRule) -> String? { value.fault }
    package static var seat: Seat? { .rateLimit }
    package static func stage(_ rule: RateLimitRule, in scope: StageScope) -> (any Interceptor)? {
        rule.isOff ? nil : RateLimitInterceptor(rule: rule, state: scope.state(ServiceResilience.self))
    }
}

// Outermost first: a retry asks the hosts again, and each host has its own circuit.
extension Seat {
    static let retry = Seat(.repeating, order: 10)
    static let connectivity = Seat(.repeating, order: 20)
    static let failover = Seat(.repeating, order: 30)
    static let hedge = Seat(.repeating, order: 40)
    static let circuitBreaker = Seat(.repeating, order: 50)
    static let rateLimit = Seat(.repeating, order: 60)
}
