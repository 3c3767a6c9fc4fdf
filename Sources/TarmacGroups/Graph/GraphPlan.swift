import TarmacJSON

/// Decides which node of a graph starts next, and which nodes never will (pure).
struct GraphPlan {
    private let limit: Int
    /// The nodes that depend on each node.
    private var dependents: [[Int]]
    /// The number of dependencies of each node that have not ended with a value.
    private var awaited: [Int]
    private var isDoomed: [Bool]
    /// The nodes that may start, in the order in which they became ready.
    private var ready: [Int]
    private var launched = 0
    private var landed = 0
    private var failed = 0
    private var doomed = 0

    /// - Parameters:
    ///   - dependencies: those of each node, all below its own index.
    ///   - limit: the maximum number of running nodes. `nil` for no limit.
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

    /// Returns the next node to start, or `nil` if none is ready or enough are running.
    mutating func takeOff() -> Int? {
        guard launched < ready.count, launched - landed < limit else { return nil }
        defer { launched += 1 }
        return ready[launched]
    }

    /// Records the end of a node. Returns the nodes that will not run because of it, in the order in which they were
    /// added.
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
            // A node with a failed dependency never becomes ready, because that dependency never ends with a value.
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
        return found.ordered()
    }

    var progress: GroupProgress { GroupProgress(completed: landed + doomed, failed: failed + doomed, total: awaited.count) }
}
