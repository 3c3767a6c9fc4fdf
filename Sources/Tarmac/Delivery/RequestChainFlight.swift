/// A step of a chain: it is made into a call when those before it have landed.
struct ChainStep: Sendable {
    /// What a step comes to.
    enum Made: Sendable {
        case member(GroupMember)
        /// The steps of another chain in its place, and what that lands as if it has none.
        case more([ChainStep], first: any Sendable)
    }

    /// Its name until it is made.
    let name: String
    let make: @Sendable (ChainResults) async throws -> Made

    init(_ name: String, make: @escaping @Sendable (ChainResults) async throws -> Made) {
        self.name = name
        self.make = make
    }
}

/// A chain in flight.
struct ChainFlight {
    private var results: ChainResults
    /// What is still to fly, the next one last.
    private var pending: [ChainStep]
    /// How many steps were made, those included that only added others: what bounds a chain that never ends.
    private var made = 0

    init(_ steps: [ChainStep], first: any Sendable) {
        results = ChainResults(first: first)
        pending = steps.reversed()
    }

    /// What the last step landed as.
    mutating func fly(_ run: GroupRun) async throws -> any Sendable {
        while let step = pending.popLast() {
            if run.isCancelled { throw CancellationError() }
            switch try await make(step) {
            case .member(let call): try await fly(call, run)
            case .more(let steps, let first):
                pending += steps.reversed()
                results.start(with: first)
            }
        }
        return results.last
    }

    private mutating func make(_ step: ChainStep) async throws -> ChainStep.Made {
        made += 1
        do {
            guard made <= GroupLimits.members else { throw Self.endless }
            return try await step.make(results)
        } catch { throw member(step.name).naming(error) }
    }

    private mutating func fly(_ call: GroupMember, _ run: GroupRun) async throws {
        let value: any Sendable
        do { value = try await call.fly(run) } catch { throw member(call.name).naming(error) }
        results.append(value, of: call.endpoint)
        run.progress?(GroupProgress(completed: results.count, total: results.count + pending.count))
    }

    /// The step that flies now.
    private func member(_ name: String) -> TarmacError.Member {
        TarmacError.Member(group: .chain, index: results.count, total: results.count + 1 + pending.count, name: name)
    }

    private static var endless: TarmacError {
        TarmacError(
            .invalidGroup, "the chain has more than \(GroupLimits.members) steps", suggestion: "end it, or go on with another")
    }
}
