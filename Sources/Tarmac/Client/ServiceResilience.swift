/// What a service in one environment has learned about its hosts, and the calls that wait because of it.
final class ServiceResilience: Sendable {
    let waits = WaitingRoom()
    let randomness: Randomness
    let limiter = Locked(RateLimiter())
    let connectivity: ConnectivityGate
    private let budgets = Locked(HostTable<RetryBudget>())
    private let health = Locked(Health())
    private let hedging = Locked(Hedging())
    private let circuits = Locked(HostTable<CircuitBreaker>())

    private struct Health {
        var hosts = HostTable<HostHealth>()
        /// Whether one of them has failed, and not answered since.
        var isAnyDown = false
    }
    private struct Hedging {
        var budgets = HostTable<RetryBudget>()
        var latencies = LatencyHistogram()
    }

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

    /// Notes a request that may be hedged; returns how long it may take before the next is sent, `nil` while that is not known.
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

    func admit(to origin: WebOrigin, _ rule: CircuitBreakerRule, now: @autoclosure () -> ContinuousClock.Instant) -> CircuitBreaker.Admission {
        circuits.withLock { $0.withValue(of: origin, initial: CircuitBreaker()) { $0.admit(rule, now: now()) } }
    }

    func record(
        _ outcome: CircuitBreaker.Outcome, of pass: CircuitBreaker.Pass, at origin: WebOrigin, _ rule: CircuitBreakerRule, now: ContinuousClock.Instant
    ) -> CircuitBreaker.Change? {
        circuits.withLock { $0.withValue(of: origin, initial: CircuitBreaker()) { $0.record(outcome, of: pass, rule, now: now) } }
    }

    // MARK: Failover

    /// Whether there is anything to remember.
    var knowsFailures: Bool { health.withLock { $0.isAnyDown } }

    /// The order in which hosts are asked.
    func order(_ bases: [HTTPURL], now: ContinuousClock.Instant) -> [HTTPURL] {
        health.withLock { health in
            HostHealth.order(bases) { health.hosts.withValue(of: $0, initial: HostHealth()) { $0.isSkipped(now) } }
        }
    }

    func noteFailure(of origin: WebOrigin, now: ContinuousClock.Instant) {
        health.withLock { health in
            health.isAnyDown = true
            health.hosts.withValue(of: origin, initial: HostHealth()) { $0.failed(now) }
        }
    }

    func noteAnswer(of origin: WebOrigin) {
        health.withLock { health in
            health.hosts.withValue(of: origin, initial: HostHealth()) { $0.answered() }
            health.isAnyDown = health.hosts.contains { $0.downUntil != nil }
        }
    }
}
