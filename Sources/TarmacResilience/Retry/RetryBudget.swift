/// What repeats a host may still get: a bucket that calls fill and repeats empty (pure).
struct RetryBudget {
    private var tokens: Double

    /// A full one.
    init(_ rule: RetryRule.Budget) { tokens = rule.isUnlimited ? 0 : Double(rule.reserve) }

    /// A call has begun.
    mutating func deposit(_ rule: RetryRule.Budget) {
        if !rule.isUnlimited { tokens = min(tokens + rule.ratio, Double(rule.reserve)) }
    }

    /// Takes a repeat; `false` when there is none. Calls of one host may have rules of their own: each counts by its own.
    mutating func withdraw(_ rule: RetryRule.Budget) -> Bool {
        if rule.isUnlimited { return true }
        // A fifth, ten times, is a little less than two.
        guard tokens > 1 - 1e-9 else { return false }
        tokens -= 1
        return true
    }
}
