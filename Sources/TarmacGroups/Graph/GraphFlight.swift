@_spi(TarmacRooms) import TarmacCore

/// A running graph: a task for each running node, and one loop that observes them.
struct GraphFlight {
    private typealias Landing = (index: Int, name: String, outcome: Result<any Sendable, any Error>)

    private let nodes: [GraphNode]
    private let run: GroupRun
    private let limit: Int?

    init(_ nodes: [GraphNode], limit: Int?, run: GroupRun) {
        self.nodes = nodes
        self.run = run
        self.limit = limit
    }

    func fly() async throws -> GraphResults {
        let flown = await withTaskGroup(of: Landing.self) { group in
            var plan = GraphPlan(dependencies: nodes.map(\.dependencies), limit: limit)
            var flown = GraphResults(nodes)
            launch(&plan, flown, in: &group)
            while let landing = await group.next() {
                flown.land(landing.index, named: landing.name, landing.outcome)
                for dependent in plan.land(landing.index, failed: landing.outcome.error != nil) {
                    flown.fail(dependent, because: landing.index)
                }
                run.progress?(plan.progress)
                launch(&plan, flown, in: &group)
            }
            return flown
        }
        if run.isCancelled, !flown.hasRunToItsEnd { throw CancellationError() }
        return flown
    }

    private func launch(_ plan: inout GraphPlan, _ flown: GraphResults, in group: inout TaskGroup<Landing>) {
        while !run.isCancelled, let index = plan.takeOff() {
            let inputs = flown.inputs(of: index)
            _ = group.addTaskUnlessCancelled { await self.fly(index, inputs) }
        }
    }

    private func fly(_ index: Int, _ inputs: GraphInputs) async -> Landing {
        var name = nodes[index].name
        do {
            let call = try await nodes[index].make(inputs)
            name = call.name
            return (index, name, .success(try await call.fly(run).value))
        } catch {
            let member = TarmacError.Member(group: .graph, index: index, total: nodes.count, name: name)
            return (index, name, .failure(member.naming(error)))
        }
    }
}
