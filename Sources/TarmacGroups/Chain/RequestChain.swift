@_spi(TarmacRooms) public import TarmacCore

/// A group of works that run one after the other, each made from earlier values.
///
/// ```swift
/// let user = try await client.send(RequestChain(Register(name: "ann")).then { GetUser(id: $0.id) })
/// ```
/// The value of the chain is that of its last step. The chain stops at the first failure, and the error names the step
/// (``TarmacError/members``). An error that a step's closure throws also stops the chain, as the cause of
/// `TarmacError(.callerFailed)`. Cancelling a chain cancels the current step, and the following steps are not run.
public struct RequestChain<Value: Sendable>: Work {
    public typealias WorkProgress = GroupProgress

    let steps: ChainSteps
    /// The value of a chain without steps.
    let first: any Sendable
    let call: Options
    /// The settings of the chain as a whole. Its calls have their own settings.
    public var settings = GroupSettings()

    private init(steps: ChainSteps, first: any Sendable, call: Options) {
        self.steps = steps
        self.first = first
        self.call = call
    }

    /// Creates a chain that starts with a work.
    ///
    /// - Parameters:
    ///   - work: the first step.
    ///   - configure: changes the settings of every step's call.
    public init<W: Work>(_ work: W, configure: (inout Options) -> Void = { _ in }) where Value == W.Value {
        let step = ChainStep(ChainStep.name(of: W.self)) { _ in ChainStep.Made(work) }
        self.init(steps: ChainSteps(step), first: (), call: Options(configure))
    }

    /// Creates a chain without steps. It sends nothing and returns `value` immediately. A step that has no further
    /// steps to add returns such a chain.
    public init(value: Value, configure: (inout Options) -> Void = { _ in }) {
        self.init(steps: ChainSteps(), first: value, call: Options(configure))
    }

    /// Creates a chain without steps. It sends nothing and returns immediately.
    public init(configure: (inout Options) -> Void = { _ in }) where Value == Void {
        self.init(value: (), configure: configure)
    }

    /// The number of known steps. Steps may add more when they run.
    public var count: Int { steps.count }

    /// Returns the chain with changed settings.
    public func with(_ configure: (inout GroupSettings) -> Void) -> Self { settings.changed(self, \.settings, configure) }

    public var _plan: WorkPlan<Value, GroupProgress> {
        WorkPlan(name) { _ in
            settings.traits
        } perform: { run, progress in
            if steps.isEmpty { try run.engine.landEmpty(progress) }
            return try await run.flying(.chain, settings, name: name) { client in
                var flight = ChainFlight(steps, first: first)
                try await flight.fly(GroupRun(run, client, call: call, progress: progress))
                return ChainResults.cast(flight.last, to: Value.self)
            }
        }
    }

    private var name: String { settings.name ?? "chain of \(count)" }
}

// MARK: Steps

extension RequestChain {
    /// Adds a work made from the value of the previous step.
    public func then<W: Work>(_ next: @escaping @Sendable (Value) async throws -> W) -> RequestChain<W.Value> {
        then { value, _ in try await next(value) }
    }

    /// Adds a work made from the values of the previous step and of the steps before it.
    ///
    /// ```swift
    /// .then { avatar, former in SaveProfile(avatar: avatar.id, token: try former[Login.self].token) }
    /// ```
    /// If `next` returns a chain, its steps replace this one, and see the earlier values too. Its call settings are applied
    /// over those of this chain, and its ``settings`` apply to its steps as a group within this one. To add no steps, return
    /// ``init(value:configure:)``.
    ///
    /// ```swift
    /// func pages(from page: Int) -> RequestChain<Page> {
    ///     RequestChain(ListProducts(page: page)).then { $0.isLast ? RequestChain(value: $0) : pages(from: page + 1) }
    /// }
    /// ```
    public func then<W: Work>(_ next: @escaping @Sendable (Value, ChainResults) async throws -> W) -> RequestChain<W.Value> {
        adding(ChainStep.name(of: W.self)) { former in
            ChainStep.Made(try await next(former.last(as: Value.self), former))
        }
    }

    private func adding<Next>(
        _ name: String, _ make: @escaping @Sendable (ChainResults) async throws -> ChainStep.Made
    ) -> RequestChain<Next> {
        var steps = steps
        steps.append(ChainStep(name, make: make))
        var chain = RequestChain<Next>(steps: steps, first: first, call: call)
        chain.settings = settings
        return chain
    }
}

/// A work whose steps a chain takes over.
protocol SteppedWork: Work {
    var added: AddedChain { get }
}

extension RequestChain: SteppedWork {
    var added: AddedChain { AddedChain(self) }
}
