/// The steps of a chain that is being built. A longer chain shares the steps of the shorter one it was made from.
struct ChainSteps: Sendable {
    final class Node: Sendable {
        let step: ChainStep
        // SAFETY: written in `init` and `deinit` alone, when no other reference to this node exists.
        nonisolated(unsafe) fileprivate(set) var previous: Node?

        fileprivate init(_ step: ChainStep, after previous: Node?) {
            self.step = step
            self.previous = previous
        }

        deinit {
            // Released one by one: a release inside another would need a stack as long as the chain.
            var rest = previous
            previous = nil
            while isKnownUniquelyReferenced(&rest) {
                let next = rest?.previous
                rest?.previous = nil
                rest = next
            }
        }
    }

    private(set) var last: Node?
    private(set) var count = 0

    init(_ first: ChainStep? = nil) {
        if let first { append(first) }
    }

    /// Adds a step. The present ones are not copied.
    mutating func append(_ step: ChainStep) {
        last = Node(step, after: last)
        count += 1
    }

    var isEmpty: Bool { last == nil }

    /// The steps, the last one first.
    var reversed: [ChainStep] {
        var steps: [ChainStep] = []
        steps.reserveCapacity(count)
        var node = last
        while let current = node {
            steps.append(current.step)
            node = current.previous
        }
        return steps
    }
}
