import TarmacCore

/// A step of a chain: it is made into a call when those before it have landed.
struct ChainStep: Sendable {
    /// What a step comes to.
    enum Made: Sendable {
        case member(GroupMember)
        /// The steps of another chain in its place.
        case more(AddedChain)
    }

    /// Its name until it is made.
    let name: String
    let make: @Sendable (ChainResults) async throws -> Made

    init(_ name: String, make: @escaping @Sendable (ChainResults) async throws -> Made) {
        self.name = name
        self.make = make
    }
}

/// A chain whose steps become part of another.
struct AddedChain: Sendable {
    let steps: [ChainStep]
    /// What it lands as if it has none.
    let first: any Sendable
    /// The call's layer of its own steps.
    let call: Options
    let settings: GroupSettings

    init<Value>(_ chain: RequestChain<Value>) {
        steps = chain.steps
        first = chain.first
        call = chain.call
        settings = chain.settings
    }
}

/// A chain in flight.
struct ChainFlight: Sendable {
    private var results: ChainResults
    /// What is still to fly, the next one last.
    private var pending: [ChainStep]
    /// How many steps were made, those included that only added others: what bounds a chain that never ends.
    private var made = 0
    /// How many steps have ended, those included that only added others.
    private var completed = 0
    /// How many steps come after those of an added chain that flies as a whole of its own.
    private var behind = 0
    /// How many added chains that fly as wholes are around the steps.
    private var depth = 0

    init(_ steps: [ChainStep], first: any Sendable) {
        results = ChainResults(first: first)
        pending = steps.reversed()
    }

    /// What the last step landed as.
    var last: any Sendable { results.last }

    mutating func fly(_ run: GroupRun) async throws {
        while let step = pending.popLast() {
            if run.isCancelled { throw CancellationError() }
            switch try await make(step) {
            case .member(let call): try await fly(call, run)
            case .more(let chain): try await add(chain, from: step, run)
            }
        }
    }

    /// Steps without settings of their own take the place of the step that added them: so a chain that goes on for ever
    /// does not become a chain of wholes in wholes.
    private mutating func add(_ chain: AddedChain, from step: ChainStep, _ run: GroupRun) async throws {
        results.start(with: chain.first)
        if chain.call.isEmpty, chain.settings.isPlain {
            pending += chain.steps.reversed()
            return end(run)
        }
        guard depth < GroupLimits.depth else { throw member(chain.settings.name ?? step.name).naming(Self.tooDeep) }
        let rest = pending
        (pending, behind) = (chain.steps.reversed(), behind + rest.count)
        depth += 1
        end(run)
        let start = self
        self = try await run.client.flying(.chain, chain.settings, name: "chain of \(chain.steps.count)") { client in
            var flight = start
            try await flight.fly(GroupRun(client, call: chain.call.merged(over: run.call), progress: run.progress))
            return flight
        }
        (pending, behind, depth) = (rest, behind - rest.count, depth - 1)
    }

    private mutating func end(_ run: GroupRun) {
        completed += 1
        run.progress?(GroupProgress(completed: completed, total: completed + pending.count + behind))
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
        end(run)
    }

    /// The step that flies now.
    private func member(_ name: String) -> TarmacError.Member {
        TarmacError.Member(group: .chain, index: results.count, total: results.count + 1 + pending.count + behind, name: name)
    }

    private static var tooDeep: TarmacError {
        TarmacError(
            .invalidGroup, "a chain with settings was added more than \(GroupLimits.depth) deep",
            suggestion: "add it without settings, which the chain around it has, or go on with another chain after this")
    }

    private static var endless: TarmacError {
        TarmacError(
            .invalidGroup, "the chain has more than \(GroupLimits.members) steps", suggestion: "end it, or go on with another")
    }
}
