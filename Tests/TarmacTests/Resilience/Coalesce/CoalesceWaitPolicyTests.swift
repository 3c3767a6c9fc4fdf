import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience

/// When a call stops waiting for a flight it shares.
@Suite("Coalescing: how long a call waits")
struct CoalesceWaitPolicyTests {
    private static let start = Moment.now

    struct Case: Sendable {
        var timeout: Int?
        var deadline: Int?
        var now: Int
        var attemptStart: Int?
        let decision: String
    }

    @Test(arguments: [
        Case(timeout: nil, deadline: nil, now: 99, attemptStart: 0, decision: "for ever"),
        Case(timeout: nil, deadline: 10, now: 9, attemptStart: 0, decision: "until 10"),
        Case(timeout: nil, deadline: 10, now: 10, attemptStart: 0, decision: "late"),
        // An attempt that had begun before counts from the joining.
        Case(timeout: 5, deadline: nil, now: 4, attemptStart: -3, decision: "until 5"),
        Case(timeout: 5, deadline: nil, now: 5, attemptStart: -3, decision: "timed out"),
        // A later one from its own beginning.
        Case(timeout: 5, deadline: nil, now: 5, attemptStart: 2, decision: "until 7"),
        // In a queue no attempt's time runs.
        Case(timeout: 5, deadline: nil, now: 50, attemptStart: nil, decision: "until 55"),
        Case(timeout: 5, deadline: 52, now: 50, attemptStart: nil, decision: "until 52"),
        Case(timeout: 5, deadline: 5, now: 5, attemptStart: 0, decision: "late"),
    ])
    func theFirstLimitDecides(row: Case) {
        let at: (Int) -> Moment = { Self.start + .seconds($0) }
        let policy = CoalesceWaitPolicy(joined: at(0), timeout: row.timeout.map { .seconds($0) }, deadline: row.deadline.map(at))
        let text =
            switch policy.decide(now: at(row.now), attemptStart: row.attemptStart.map(at)) {
            case .wait(nil): "for ever"
            case .wait(let until?): "until \((until - Self.start).components.seconds)"
            case .timedOut: "timed out"
            case .late: "late"
            }
        #expect(text == row.decision)
    }
}
