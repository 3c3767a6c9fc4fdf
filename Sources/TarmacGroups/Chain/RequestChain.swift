public import TarmacCore

/// Calls one after the other, each made of what landed before, as a value to run, to start for an owner, or to hold.
///
/// ```swift
/// let user = try await RequestChain(Register(name: "ann")).then { GetUser(id: $0.id) }.run(on: client)
/// ```
/// The chain lands as its last step. It stops at the first failure, and the error says which step it was
/// (``TarmacError/member``); what a step's own closure throws stops it too, as the cause of `TarmacError(.callerFailed)`.
/// A cancelled chain cancels the step in flight and flies none of the others.
public struct RequestChain<Value: Sendable>: CallGroup {
    let steps: [ChainStep]
    /// What a chain without steps lands as.
    let first: any Sendable
    let call: Options
    public var settings = GroupSettings()

    private init(steps: [ChainStep], first: any Sendable, call: Options) {
        self.steps = steps
        self.first = first
        self.call = call
    }

    /// A chain that starts with a call.
    ///
    /// - Parameter configure: the call's own layer of settings, for every step.
    public init<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) where Value == E.Value {
        self.init(steps: [ChainStep(E.endpointName) { _ in .member(GroupMember(endpoint)) }], first: (), call: Options(configure))
    }

    /// A chain without steps: it sends nothing and lands at once. What a step returns that has nothing to add.
    public init(value: Value, configure: (inout Options) -> Void = { _ in }) {
        self.init(steps: [], first: value, call: Options(configure))
    }

    /// An empty chain: it sends nothing and lands at once.
    public init(configure: (inout Options) -> Void = { _ in }) where Value == Void {
        self.init(value: (), configure: configure)
    }

    /// How many steps are known; steps may add more when they fly.
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
    /// Adds a call made of what the last step landed as.
    public func then<E: Endpoint>(_ next: @escaping @Sendable (Value) async throws -> E) -> RequestChain<E.Value> {
        then { value, _ in try await next(value) }
    }

    /// Adds a call made of what the last step and those before it landed as.
    ///
    /// ```swift
    /// .then { avatar, former in SaveProfile(avatar: avatar.id, token: try former[Login.self].token) }
    /// ```
    public func then<E: Endpoint>(_ next: @escaping @Sendable (Value, ChainResults) async throws -> E) -> RequestChain<E.Value> {
        adding(E.endpointName) { former in
            .member(GroupMember(try await next(former.last(as: Value.self), former)))
        }
    }

    /// Adds the steps of another chain, chosen when the last step has landed: how steps are added on the way. They see what
    /// landed before as well; ``init(value:configure:)`` is the chain that adds none. Their call's layer lies over that of
    /// this chain, and what the other chain's ``settings`` say is told of its steps as a whole within this one.
    ///
    /// ```swift
    /// func pages(from page: Int) -> RequestChain<Page> {
    ///     RequestChain(ListProducts(page: page)).then { $0.isLast ? RequestChain(value: $0) : pages(from: page + 1) }
    /// }
    /// ```
    public func then<Next>(_ next: @escaping @Sendable (Value) async throws -> RequestChain<Next>) -> RequestChain<Next> {
        then { value, _ in try await next(value) }
    }

    /// Adds the steps of another chain, made of what the last step and those before it landed as.
    public func then<Next>(_ next: @escaping @Sendable (Value, ChainResults) async throws -> RequestChain<Next>) -> RequestChain<Next> {
        adding("more steps") { former in
            let more = try await next(former.last(as: Value.self), former)
            return .more(AddedChain(more))
        }
    }

    /// Adds work of any kind, such as a download, a batch, or a change of the value; the client is for its calls.
    ///
    /// - Parameter name: what it is called in errors. Default `work`.
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
        var chain = RequestChain<Next>(steps: steps + [ChainStep(name, make: make)], first: first, call: call)
        chain.settings = settings
        return chain
    }
}
