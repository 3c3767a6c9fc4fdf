public import TarmacCore

/// A group of calls that run one after the other, each made from earlier values, to run, to start for an owner, or to
/// keep.
///
/// ```swift
/// let user = try await RequestChain(Register(name: "ann")).then { GetUser(id: $0.id) }.run(on: client)
/// ```
/// The value of the chain is that of its last step. The chain stops at the first failure, and the error names the step
/// (``TarmacError/members``). An error that a step's closure throws also stops the chain, as the cause of
/// `TarmacError(.callerFailed)`. Cancelling a chain cancels the current step, and the following steps are not run.
public struct RequestChain<Value: Sendable>: CallGroup {
    let steps: ChainSteps
    /// The value of a chain without steps.
    let first: any Sendable
    let call: Options
    public var settings = GroupSettings()

    private init(steps: ChainSteps, first: any Sendable, call: Options) {
        self.steps = steps
        self.first = first
        self.call = call
    }

    /// Creates a chain that starts with a call.
    ///
    /// - Parameters:
    ///   - endpoint: the first call.
    ///   - configure: changes the settings of every step's call.
    public init<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) where Value == E.Value {
        let step = ChainStep(E.endpointName) { _ in .member(GroupMember(endpoint)) }
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

    public func run(on client: Client, progress: (@Sendable (GroupProgress) -> Void)?) async throws -> Value {
        if steps.isEmpty { try client.engine.landEmpty(progress) }
        return try await client.flying(.chain, settings, name: "chain of \(count)") { client in
            var flight = ChainFlight(steps, first: first)
            try await flight.fly(GroupRun(client, call: call, progress: progress))
            return ChainResults.cast(flight.last, to: Value.self)
        }
    }
}

// MARK: Steps

extension RequestChain {
    /// Adds a call made from the value of the previous step.
    public func then<E: Endpoint>(_ next: @escaping @Sendable (Value) async throws -> E) -> RequestChain<E.Value> {
        then { value, _ in try await next(value) }
    }

    /// Adds a call made from the values of the previous step and of the steps before it.
    ///
    /// ```swift
    /// .then { avatar, former in SaveProfile(avatar: avatar.id, token: try former[Login.self].token) }
    /// ```
    public func then<E: Endpoint>(_ next: @escaping @Sendable (Value, ChainResults) async throws -> E) -> RequestChain<E.Value> {
        adding(E.endpointName) { former in
            .member(GroupMember(try await next(former.last(as: Value.self), former)))
        }
    }

    /// Adds the steps of another chain, which is chosen when the previous step has ended. The added steps see the
    /// earlier values too.
    ///
    /// The call settings of the other chain are applied over those of this chain, and its ``settings`` apply to its
    /// steps as a group within this one. To add no steps, return ``init(value:configure:)``.
    ///
    /// ```swift
    /// func pages(from page: Int) -> RequestChain<Page> {
    ///     RequestChain(ListProducts(page: page)).then { $0.isLast ? RequestChain(value: $0) : pages(from: page + 1) }
    /// }
    /// ```
    public func then<Next>(_ next: @escaping @Sendable (Value) async throws -> RequestChain<Next>) -> RequestChain<Next> {
        then { value, _ in try await next(value) }
    }

    /// Adds the steps of another chain, made from the values of the previous step and of the steps before it.
    public func then<Next>(_ next: @escaping @Sendable (Value, ChainResults) async throws -> RequestChain<Next>) -> RequestChain<Next> {
        adding("more steps") { former in
            let more = try await next(former.last(as: Value.self), former)
            return .more(AddedChain(more))
        }
    }

    /// Adds work of any kind, such as a download, a batch, or a change of the value. Make calls with the client that
    /// the closure receives.
    ///
    /// - Parameters:
    ///   - name: the name in errors. Default: `work`.
    ///   - work: receives the client and the value of the previous step. If it throws, the chain fails.
    public func thenWork<Next: Sendable>(
        named name: String = "work", _ work: @escaping @Sendable (Client, Value) async throws -> Next
    ) -> RequestChain<Next> {
        adding(name) { former in
            let value = former.last(as: Value.self)
            return .member(GroupMember(name) { try await work($0, value) })
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
