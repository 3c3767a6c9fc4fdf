@_spi(TarmacRooms) import TarmacCore

/// The state of retries, and of waits for a network, of one service in one environment.
final class ServiceResilience: ServiceState {
    let connectivity: ConnectivityGate
    private let budgets = Locked(HostTable<RetryBudget>())
    /// The calls that a shared budget does not know yet.
    private let calls = Locked(HostTable<Int>())
    private let isShared = Locked(true)

    init(_ service: ServiceScope) { connectivity = ConnectivityGate(service.client.connectivity) }

    func close() { connectivity.close() }

    /// The number of remembered hosts.
    var hosts: Int { budgets.withLock { $0.count } }

    // MARK: Retry

    func noteCall(to origin: WebOrigin, _ rule: RetryRule) {
        let budget = rule.budget
        if budget.isUnlimited { return }
        budgets.withLock { $0.withValue(of: origin, initial: RetryBudget(budget)) { $0.deposit(budget) } }
        if rule.sharedBudget != nil { calls.withLock { $0.withValue(of: origin, initial: 0) { $0 = min($0 + 1, 1_000_000) } } }
    }

    /// Takes a repeat from the budget of this process, and from the one that others share. The latter counts alone while its server answers.
    nonisolated(nonsending) func takeRetry(of origin: WebOrigin, _ rule: RetryRule, for context: CallContext) async -> Bool {
        let budget = rule.budget
        if let shared = rule.sharedBudget, !budget.isUnlimited {
            let calls = calls.withLock {
                $0.withValue(of: origin, initial: 0) { count in
                    defer { count = 0 }
                    return count
                }
            }
            do {
                let isTaken = try await context.outlived(in: .waiting) { try await shared.takeRetry(of: origin, budget, calls: calls) }
                isShared.withLock { $0 = true }
                return isTaken
            } catch { noteAlone(origin, error, context) }
        }
        return budgets.withLock { $0.withValue(of: origin, initial: RetryBudget(budget)) { $0.withdraw(budget) } }
    }

    /// Reports that the server of a shared budget is away, when that begins.
    private func noteAlone(_ origin: WebOrigin, _ error: any Error, _ context: CallContext) {
        if context.isCancelled { return }
        let hasBegun = isShared.withLock { isShared in
            defer { isShared = false }
            return isShared
        }
        let reason = (error as? TarmacError)?.reason ?? "\(type(of: error))"
        if hasBegun { context.emit(.warning("the retry budget of \(origin) is used by this process alone: \(reason)")) }
    }
}

extension ServiceScope {
    /// The state of the service's retries and waits.
    var resilience: ServiceResilience { state(ServiceResilience.self) }
}
