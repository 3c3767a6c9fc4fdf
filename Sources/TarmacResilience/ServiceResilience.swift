@_spi(TarmacRooms) import TarmacCore

/// The state of retries, and of waits for a network, of one service in one environment.
final class ServiceResilience: ServiceState {
    let connectivity: ConnectivityGate
    private let budgets = Locked(HostTable<RetryBudget>())

    init(_ service: ServiceScope) { connectivity = ConnectivityGate(service.client.connectivity) }

    func close() { connectivity.close() }

    /// The number of remembered hosts.
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

extension ServiceScope {
    /// The state of the service's retries and waits.
    var resilience: ServiceResilience { state(ServiceResilience.self) }
}
