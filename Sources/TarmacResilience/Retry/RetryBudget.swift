/// The number of repeats that a host may still receive (pure). Calls add to it and repeats take from it.
package struct RetryBudget {
    private var tokens: Double

    /// Creates a full budget.
    package init(_ rule: RetryRule.Budget) { tokens = rule.isUnlimited ? 0 : Double(rule.reserve) }

    /// Adds the part of a repeat that a call earns.
    package mutating func deposit(_ rule: RetryRule.Budget) {
        if !rule.isUnlimited { tokens = min(tokens + rule.ratio, Double(rule.reserve)) }
    }

    /// Takes a repeat, or returns `false` if there is none. Each call of a host counts by its own rule.
    package mutating func withdraw(_ rule: RetryRule.Budget) -> Bool {
        if rule.isUnlimited { return true }
        // Ten times a fifth is slightly less than two in floating point.
        guard tokens > 1 - 1e-9 else { return false }
        tokens -= 1
        return true
    }
}
