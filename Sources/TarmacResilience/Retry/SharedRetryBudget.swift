package import TarmacCore

/// The retry budgets of hosts that several processes share, on a server.
package protocol SharedRetryBudget: AnyObject, Sendable {
    /// Takes a repeat of a host, after adding what calls have earned. Returns `false` if there is none.
    ///
    /// It ends within a time limit of its own. An error means that the server is away: the process then uses its own budget.
    ///
    /// - Parameter calls: the number of calls since the last repeat of this process.
    func takeRetry(of origin: WebOrigin, _ budget: RetryRule.Budget, calls: Int) async throws -> Bool
}
