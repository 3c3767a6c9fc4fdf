@_spi(TarmacRooms) import TarmacCore

/// A step of a chain. It is made into a call when the earlier steps have ended.
struct ChainStep: Sendable {
    /// The result of making a step.
    enum Made: Sendable {
        case member(GroupMember)
        /// The steps of another chain, which replace this one.
        case more(AddedChain)

        init<W: Work>(_ work: W) {
            self = if let chain = work as? any SteppedWork { .more(chain.added) } else { .member(GroupMember(work)) }
        }
    }

    /// The name of a step until it is made.
    static func name<W: Work>(of work: W.Type) -> String { work is any SteppedWork.Type ? "more steps" : work.workName }

    /// The name until the step is made.
    let name: String
    let make: @Sendable (ChainResults) async throws -> Made

    init(_ name: String, make: @escaping @Sendable (ChainResults) async throws -> Made) {
        self.name = name
        self.make = make
    }
}

/// A chain whose steps become part of another.
struct AddedChain: Sendable {
    let steps: ChainSteps
    /// The value if the chain has no steps.
    let first: any Sendable
    /// The call settings of its own steps.
    let call: Options
    let settings: GroupSettings

    init<Value>(_ chain: RequestChain<Value>) {
        steps = chain.steps
        first = chain.first
        call = chain.call
        settings = chain.settings
    }
}

/// A running chain.
struct ChainFlight: Sendable {
    private var results: ChainResults
    /// The remaining steps, the next one last.
    private var pending: [ChainStep]
    /// The number of steps that were made, including those that only added others. It limits an endless chain.
    private var made = 0
    /// The number of steps that have ended, including those that only added others.
    private var completed = 0
    /// The number of steps after those of an added chain that runs as a separate group.
    private var behind = 0
    /// The number of enclosing added chains that run as separate groups.
    private var depth = 0

    init(_ steps: ChainSteps, first: any Sendable) {
        results = ChainResults(first: first)
        pending = steps.reversed
    }

    /// The value of the last step.
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

    /// Adds the steps of another chain. Without their own settings, they replace the step that added them, so that an
    /// endless chain does not become a deep nesting of groups.
    private mutating func add(_ chain: AddedChain, from step: ChainStep, _ run: GroupRun) async throws {
        results.start(with: chain.first)
        if chain.call.isEmpty, chain.settings.isPlain {
            pending += chain.steps.reversed
            return end(run)
        }
        guard depth < GroupLimits.depth else { throw member(chain.settings.name ?? step.name).naming(Self.tooDeep) }
        let rest = pending
        (pending, behind) = (chain.steps.reversed, behind + rest.count)
        depth += 1
        end(run)
        let start = self
        let name = chain.settings.name ?? "chain of \(chain.steps.count)"
        self = try await run.member.flying(.chain, chain.settings, name: name) { client in
            var flight = start
            try await flight.fly(run.added(client, call: chain.call))
            return flight
        }.value
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
        do { value = try await call.fly(run).value } catch { throw member(call.name).naming(error) }
        results.append(value, of: call.type)
        end(run)
    }

    /// Returns the running step as a member.
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
