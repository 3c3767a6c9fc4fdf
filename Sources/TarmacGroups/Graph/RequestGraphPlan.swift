/// Which node of a graph takes off next, and which never will (pure).
struct GraphPlan {
    private let limit: Int
    /// Who needs whom, the other way round.
    private var dependents: [[Int]]
    /// How many of those it needs have not landed.
    private var awaited: [Int]
    private var isDoomed: [Bool]
    /// Those that may take off, in the order they became ready.
    private var ready: [Int]
    private var launched = 0
    private var landed = 0
    private var failed = 0
    private var doomed = 0

    /// - Parameters:
    ///   - dependencies: of each node, all below its own index.
    ///   - limit: how many may be in flight; `nil` for all.
    init(dependencies: [[Int]], limit: Int?) {
        self.limit = limit ?? .max
        dependents = Array(repeating: [], count: dependencies.count)
        awaited = dependencies.map(\.count)
        isDoomed = Array(repeating: false, count: dependencies.count)
        ready = dependencies.indices.filter { dependencies[$0].isEmpty }
        for (node, needed) in dependencies.enumerated() {
            for other in needed { dependents[other].append(node) }
        }
    }

    /// The next to take off; `nil` while none is ready or enough are in flight.
    mutating func takeOff() -> Int? {
        guard launched < ready.count, launched - landed < limit else { return nil }
        defer { launched += 1 }
        return ready[launched]
    }

    /// Notes a landing; returns those that will not fly because of it, in the order they were added.
    mutating func land(_ node: Int, failed hasFailed: Bool) -> [Int] {
        landed += 1
        guard hasFailed else {
            release(node)
            return []
        }
        failed += 1
        return doom(after: node)
    }

    private mutating func release(_ node: Int) {
        for dependent in dependents[node] {
            awaited[dependent] -= 1
            // Of a doomed node one never lands, so that it never becomes ready.
            if awaited[dependent] == 0 { ready.append(dependent) }
        }
    }

    private mutating func doom(after node: Int) -> [Int] {
        var pending = dependents[node]
        var found: [Int] = []
        while let next = pending.popLast() {
            if isDoomed[next] { continue }
            isDoomed[next] = true
            found.append(next)
            pending += dependents[next]
        }
        doomed += found.count
        return found.sorted()
    }

    var progress: GroupProgress { GroupProgress(completed: landed + doomed, failed: failed + doomed, total: awaited.count) }
}
