@_spi(TarmacRooms) public import TarmacCore
import TarmacResilience

extension Options {
    /// The rule for sending a second request while the first is slow. Default: ``HedgeRule/off``.
    public var hedge: HedgeRule? {
        get { self[Settings.hedge] }
        set { self[Settings.hedge] = newValue }
    }

    /// The rule for stopping requests to a failing host. Default: ``CircuitBreakerRule/off``.
    public var circuitBreaker: CircuitBreakerRule? {
        get { self[Settings.circuitBreaker] }
        set { self[Settings.circuitBreaker] = newValue }
    }

    /// The rule that limits the rate of requests to the service. Default: ``RateLimitRule/off``.
    public var rateLimit: RateLimitRule? {
        get { self[Settings.rateLimit] }
        set { self[Settings.rateLimit] = newValue }
    }
}

extension Settings {
    package static let hedge = Setting<HedgeRule>("hedge", default: .off) {
        $0.fault = { $0.fault }
        $0.stage(at: .hedge) { rule, scope in
            rule.isOff ? nil : HedgeInterceptor(rule: rule, state: scope.state(ServiceTraffic.self))
        }
    }

    package static let circuitBreaker = Setting<CircuitBreakerRule>("circuitBreaker", default: .off) {
        $0.fault = { $0.fault }
        $0.stage(at: .circuitBreaker) { rule, scope in
            if rule.isOff { return nil }
            let waits = scope.option(Settings.waitsForConnectivity)
            return BreakerInterceptor(rule: rule, state: scope.state(ServiceTraffic.self), waitsForConnectivity: waits)
        }
    }

    package static let rateLimit = Setting<RateLimitRule>("rateLimit", default: .off) {
        $0.fault = { $0.fault }
        $0.stage(at: .rateLimit) { rule, scope in
            rule.isOff ? nil : RateLimitInterceptor(rule: rule, state: scope.state(ServiceTraffic.self))
        }
    }
}

// Outermost first, below the stages of TarmacResilience: a retry asks the hosts again, and each host has its own circuit.
extension Seat {
    static let hedge = Seat(.repeating, order: 40)
    static let circuitBreaker = Seat(.repeating, order: 50)
    static let rateLimit = Seat(.repeating, order: 60)
}
