/// What a service in one environment has learned about its hosts, and the calls that wait because of it.
final class ServiceResilience: Sendable {
    let waits = WaitingRoom()
    let randomness: Randomness
    let limiter = Locked(RateLimiter())
    let connectivity: ConnectivityGate
    private let budgets = Locked(HostTable<RetryBudget>())
    private let health = Locked(HostTable<HostHealth>())
    private let hedges = Locked(HostTable<RetryBudget>())
    private let latencies = Locked(LatencyHistogram())
    private let circuits = Locked(HostTable<CircuitBreaker>())

    init(_ randomness: Randomness, _ monitor: any ConnectivityMonitor) {
        self.randomness = randomness
        connectivity = ConnectivityGate(monitor)
    }

    /// Ends every wait.
    func close() {
        waits.close()
        connectivity.close()
    }

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

    // MARK: Hedging

    func noteHedgeable(_ origin: WebOrigin, _ rule: HedgeRule) {
        if rule.budget.isUnlimited { return }
        hedges.withLock { $0.withValue(of: origin, initial: RetryBudget(rule.budget)) { $0.deposit(rule.budget) } }
    }

    func takeHedge(of origin: WebOrigin, _ rule: HedgeRule) -> Bool {
        hedges.withLock { $0.withValue(of: origin, initial: RetryBudget(rule.budget)) { $0.withdraw(rule.budget) } }
    }

    /// How long a request may take before the next is sent; `nil` while that is not known.
    func hedgeDelay(_ rule: HedgeRule) -> Duration? { latencies.withLock { HedgePolicy(rule: rule).delay(&$0) } }

    func noteLatency(_ span: Duration) { latencies.withLock { $0.add(span) } }

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
