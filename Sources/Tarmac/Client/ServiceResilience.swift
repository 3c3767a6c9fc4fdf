/// What a service in one environment has learned about its hosts, and the calls that wait because of it.
final class ServiceResilience: Sendable {
    let waits = WaitingRoom()
    let randomness: Randomness
    let limiter = Locked(RateLimiter())
    private let budgets = Locked(HostTable<RetryBudget>())
    private let health = Locked(HostTable<HostHealth>())
    private let circuits = Locked(HostTable<CircuitBreaker>())

    init(_ randomness: Randomness) { self.randomness = randomness }

    /// How many hosts are remembered.
    var hosts: Int { budgets.withLock { $0.count } }

    // MARK: Retry

    func noteCall(to origin: WebOrigin, _ rule: RetryRule.Budget) {
        if rule.isUnlimited { return }
        budgets.withLock { $0.withValue(of: origin, initial: RetryBudget(rule)) { $0.deposit(rule) } }
    }

    func takeRetry(of origin: WebOrigin, _ rule: RetryRule.Budget) -> Bool {
        budgets.withLock { $0.withValue(of: origin, initial: RetryBudget(rule)) { $0.withdraw(rule) } }
    }

    // MARK: Circuit breaker

    func admit(to origin: WebOrigin, _ rule: CircuitBreakerRule, now: ContinuousClock.Instant) -> CircuitBreaker.Admission {
        circuits.withLock { $0.withValue(of: origin, initial: CircuitBreaker()) { $0.admit(rule, now: now) } }
    }

    func record(
        _ outcome: CircuitBreaker.Outcome, of pass: CircuitBreaker.Pass, at origin: WebOrigin, _ rule: CircuitBreakerRule, now: ContinuousClock.Instant
    ) -> CircuitBreaker.Change? {
        circuits.withLock { $0.withValue(of: origin, initial: CircuitBreaker()) { $0.record(outcome, of: pass, rule, now: now) } }
    }

    // MARK: Failover

    /// The order in which hosts are asked.
    func order(_ bases: [HTTPURL], now: ContinuousClock.Instant) -> [HTTPURL] {
        health.withLock { table in
            HostHealth.order(bases) { table.withValue(of: $0, initial: HostHealth()) { $0.isSkipped(now) } }
        }
    }

    func noteFailure(of origin: WebOrigin, now: ContinuousClock.Instant) {
        health.withLock { $0.withValue(of: origin, initial: HostHealth()) { $0.failed(now) } }
    }

    func noteAnswer(of origin: WebOrigin) {
        health.withLock { $0.withValue(of: origin, initial: HostHealth()) { $0.answered() } }
    }
}
