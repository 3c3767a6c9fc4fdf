/// A value of a generated type. Decoding finds its plan in `userInfo`, because `init(from:)` takes no other argument.
struct PlannedValue: Sendable {
    let plan: TypePlan
    let content: Content
}

/// The plans of the values being decoded, the innermost last.
///
/// SAFETY: used by one decoding, on the thread of that decoding.
final class PlanStack: @unchecked Sendable {
    private var plans: [TypePlan] = []

    var top: TypePlan? { plans.last }

    func with<Result>(_ plan: TypePlan, _ body: () throws -> Result) rethrows -> Result {
        plans.append(plan)
        defer { plans.removeLast() }
        return try body()
    }
}

extension CodingUserInfoKey {
    static let plans = CodingUserInfoKey(rawValue: "plans") ?? preconditionFailure("any text is a key")
}

func ?? <T>(value: T?, end: @autoclosure () -> Never) -> T {
    if let value { return value }
    end()
}
