import TarmacTesting
import Testing

/// Seeded scripts of faults: the same in every run, whatever the order of calls.
@Suite("Faults: the plan") struct FaultPlanTests {
    private func arrival(_ target: String = "/a", method: String = "GET", repetition: Int = 1, number: Int = 1) -> FaultPlan.Arrival {
        FaultPlan.Arrival(method: method, target: target, repetition: repetition, number: number)
    }

    private func faults(_ plan: FaultPlan, _ count: Int) -> [Fault?] {
        (1...count).map { plan.fault(of: arrival("/\($0)", number: $0)) }
    }

    @Test func aSeedDecidesTheSameEveryTimeAndAnotherOtherwise() {
        let plan = FaultPlan.seeded(7, rate: 0.5)
        #expect(faults(plan, 100) == faults(.seeded(7, rate: 0.5), 100))
        #expect(faults(plan, 100) != faults(.seeded(8, rate: 0.5), 100))
        // How manyeth of all it is does not count: calls side by side have no order.
        #expect(plan.fault(of: arrival("/9", number: 1)) == plan.fault(of: arrival("/9", number: 500)))
        // These values are the same in every process and on every platform.
        #expect(faults(plan, 6).map { $0 != nil } == Self.known)
    }

    private static let known = [false, true, true, false, false, false]

    @Test(arguments: [0, 0.2, 1]) func aRateIsAboutKept(rate: Double) {
        let hits = faults(.seeded(1, rate: rate), 10_000).count { $0 != nil }
        #expect(abs(Double(hits) - rate * 10_000) <= 150, "\(hits)")
    }

    @Test func everyFaultOfThePlanComesUp() {
        let seen = Set(faults(.seeded(3, rate: 1), 1_000).compactMap(\.self))
        #expect(seen == Set(Fault.prompt))
    }

    @Test func scriptsBurstsAndFirstsSayWhichRequest() {
        #expect(faults(.script([nil, .refuse]), 3) == [nil, .refuse, nil])
        #expect(faults(.bursts(of: 2, every: 3, .status(503)), 6) == [nil, .status(503), .status(503), nil, .status(503), .status(503)])
        let first = FaultPlan.first(1, .garbage).or(.first(2, .loseResponse))
        #expect((1...3).map { first.fault(of: arrival(repetition: $0)) } == [.garbage, .loseResponse, nil])
        #expect(faults(.none, 2) == [nil, nil])
    }
}
