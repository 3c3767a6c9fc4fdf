@_spi(TarmacRooms) public import TarmacCore
import TarmacResilience

extension Options {
    /// The rule for sending a second request while the first is slow. Default: ``HedgeRule/off``.
    public var hedge: HedgeRule? {
        get { self[HedgeOption.self] }
        set { self[HedgeOption.self] = newValue }
    }

    /// The rule for stopping requests to a failing host. Default: ``CircuitBreakerRule/off``.
    public var circuitBreaker: CircuitBreakerRule? {
        get { self[CircuitBreakerOption.self] }
        set { self[CircuitBreakerOption.self] = newValue }
    }

    /// The rule that limits the rate of requests to the service. Default: ``RateLimitRule/off``.
    public var rateLimit: RateLimitRule? {
        get { self[RateLimitOption.self] }
        set { self[RateLimitOption.self] = newValue }
    }
}

package enum HedgeOption: OptionKey {
    package static let name = "hedge"
    package static var defaultValue: HedgeRule { HedgeRule.off }
    package static func fault(of value: HedgeRule) -> String? { value.fault }
    package static var seat: Seat? { .hedge }
    package static func stage(_ rule: HedgeRule, in scope: StageScope) -> (any Interceptor)? {
        rule.isOff ? nil : HedgeInterceptor(rule: rule, state: scope.state(ServiceTraffic.self))
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
        return BreakerInterceptor(rule: rule, state: scope.state(ServiceTraffic.self), waitsForConnectivity: waits)
    }
}

package enum RateLimitOption: OptionKey {
    package static let name = "rateLimit"
    package static var defaultValue: RateLimitRule { RateLimitRule.off }
    package static func fault(of value: RateLimitRule) -> String? { value.fault }
    package static var seat: Seat? { .rateLimit }
    package static func stage(_ rule: RateLimitRule, in scope: StageScope) -> (any Interceptor)? {
        rule.isOff ? nil : RateLimitInterceptor(rule: rule, state: scope.state(ServiceTraffic.self))
    }
}

// Outermost first, below the stages of TarmacResilience: a retry asks the hosts again, and each host has its own circuit.
extension Seat {
    static let hedge = Seat(.repeating, order: 40)
    static let circuitBreaker = Seat(.repeating, order: 50)
    static let rateLimit = Seat(.repeating, order: 60)
}
