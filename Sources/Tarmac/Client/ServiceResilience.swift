/// What a service in one environment has learned about its hosts, and the calls that wait because of it.
final class ServiceResilience: Sendable {
    let waits = WaitingRoom()
    let randomness: Randomness
    private let budgets = Locked(HostTable<RetryBudget>())

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
}
