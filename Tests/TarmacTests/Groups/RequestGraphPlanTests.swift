import Testing

import Tarmac
@testable import TarmacGroups

@Suite("Graph plan")
struct RequestGraphPlanTests {
    private func takeOffs(_ plan: inout GraphPlan) -> [Int] {
        var taken: [Int] = []
        while let next = plan.takeOff() { taken.append(next) }
        return taken
    }

    private func land(_ plan: inout GraphPlan, _ node: Int, failed: Bool = false) -> [Int] { plan.land(node, failed: failed) }

    @Test func thoseThatNeedNothingTakeOffFirst() {
        var plan = GraphPlan(dependencies: [[], [0], [], [0, 2]], limit: nil)
        #expect(takeOffs(&plan) == [0, 2])
        #expect(land(&plan, 2) == [])
        #expect(takeOffs(&plan) == [])
        #expect(land(&plan, 0) == [])
        #expect(takeOffs(&plan) == [1, 3])
    }

    @Test func aFailureDoomsWhatNeedsItHoweverFarOnce() {
        var plan = GraphPlan(dependencies: [[], [], [0], [2, 1], [1], [3, 2]], limit: nil)
        #expect(takeOffs(&plan) == [0, 1])
        #expect(land(&plan, 0, failed: true) == [2, 3, 5])
        #expect(land(&plan, 1, failed: true) == [4])
        #expect(takeOffs(&plan) == [])
        #expect(plan.progress == GroupProgress(completed: 6, failed: 6, total: 6))
    }

    @Test func aDoomedNodeDoesNotTakeOffWhenTheOthersItNeedsLand() {
        var plan = GraphPlan(dependencies: [[], [], [0, 1]], limit: nil)
        _ = takeOffs(&plan)
        #expect(land(&plan, 0, failed: true) == [2])
        #expect(land(&plan, 1) == [])
        #expect(takeOffs(&plan) == [])
        #expect(plan.progress == GroupProgress(completed: 3, failed: 2, total: 3))
    }

    @Test func theLimitCountsThoseInTheAir() {
        var plan = GraphPlan(dependencies: [[], [], [], [0]], limit: 2)
        #expect(takeOffs(&plan) == [0, 1])
        _ = land(&plan, 0)
        #expect(takeOffs(&plan) == [2])
        _ = land(&plan, 1)
        #expect(takeOffs(&plan) == [3])
    }
}
