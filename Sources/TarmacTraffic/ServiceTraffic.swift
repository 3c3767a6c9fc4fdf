@_spi(TarmacRooms) import TarmacCore
@_spi(TarmacRooms) import TarmacResilience

/// The state of hedges, circuit breakers and rate limits of one service in one environment.
final class ServiceTraffic: ServiceState {
    let limiter = Locked(RateLimiter())
    private let hedging = Locked(Hedging())
    private let circuits = Locked(HostTable<CircuitBreaker>())
    private let isShared = Locked(true)

    private struct Hedging {
        var budgets = HostTable<RetryBudget>()
        var latencies = LatencyHistogram()
    }

    init(_ service: ServiceScope) {}

    /// Records whether the server of a shared rate limit has answered. Returns whether that has changed.
    @discardableResult
    func note(isShared now: Bool) -> Bool {
        isShared.withLock { isShared in
            defer { isShared = now }
            return isShared != now
        }
    }

    // MARK: Hedging

    /// Records a request that may be hedged. Returns the time after which the next one is sent, or `nil` while it is
    /// unknown.
    func noteHedgeable(_ origin: WebOrigin, _ rule: HedgeRule) -> Duration? {
        hedging.withLock { hedging in
            if !rule.budget.isUnlimited {
                hedging.budgets.withValue(of: origin, initial: RetryBudget(rule.budget)) { $0.deposit(rule.budget) }
            }
            return HedgePolicy(rule: rule).delay(&hedging.latencies)
        }
    }

    func takeHedge(of origin: WebOrigin, _ rule: HedgeRule) -> Bool {
        hedging.withLock { $0.budgets.withValue(of: origin, initial: RetryBudget(rule.budget)) { $0.withdraw(rule.budget) } }
    }

    func noteLatency(_ span: Duration) { hedging.withLock { $0.latencies.add(span) } }

    // MARK: Circuit breaker

    func admit(to origin: WebOrigin, _ rule: CircuitBreakerRule, now: @autoclosure () -> Moment) -> CircuitBreaker.Admission {
        circuits.withLock { $0.withValue(of: origin, initial: CircuitBreaker()) { $0.admit(rule, now: now()) } }
    }

    func record(
        _ outcome: CircuitBreaker.Outcome, of pass: CircuitBreaker.Pass, at origin: WebOrigin, _ rule: CircuitBreakerRule, now: Moment
    ) -> CircuitBreaker.Change? {
        circuits.withLock { $0.withValue(of: origin, initial: CircuitBreaker()) { $0.record(outcome, of: pass, rule, now: now) } }
    }
}

extension ServiceScope {
    /// The state of the service's hedges, circuit breakers and rate limits.
    var traffic: ServiceTraffic { state(ServiceTraffic.self) }
}
