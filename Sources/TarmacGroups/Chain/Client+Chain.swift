public import TarmacCore

extension Client {
    /// Returns a chain that starts with a call of this client, to run or to start.
    ///
    /// ```swift
    /// let user = try await client.chain(Register(name: "ann")).then { GetUser(id: $0.id) }.run()
    /// ```
    /// - Parameters:
    ///   - endpoint: the first call.
    ///   - configure: changes the settings of every step's call.
    public func chain<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) -> ClientChain<E.Value> {
        ClientChain(client: self, chain: RequestChain(endpoint, configure: configure))
    }
}

/// A ``RequestChain`` with the client that runs it.
public struct ClientChain<Value: Sendable>: Sendable {
    let client: Client
    /// The chain.
    public var chain: RequestChain<Value>

    /// Adds a call made from the value of the previous step.
    public func then<E: Endpoint>(_ next: @escaping @Sendable (Value) async throws -> E) -> ClientChain<E.Value> {
        ClientChain<E.Value>(client: client, chain: chain.then(next))
    }

    /// Adds a call made from the values of the previous step and of the steps before it.
    public func then<E: Endpoint>(_ next: @escaping @Sendable (Value, ChainResults) async throws -> E) -> ClientChain<E.Value> {
        ClientChain<E.Value>(client: client, chain: chain.then(next))
    }

    /// Adds the steps of another chain, which is chosen when the previous step has ended.
    public func then<Next>(_ next: @escaping @Sendable (Value) async throws -> RequestChain<Next>) -> ClientChain<Next> {
        ClientChain<Next>(client: client, chain: chain.then(next))
    }

    /// Adds the steps of another chain, made from the values of the previous step and of the steps before it.
    public func then<Next>(_ next: @escaping @Sendable (Value, ChainResults) async throws -> RequestChain<Next>) -> ClientChain<Next> {
        ClientChain<Next>(client: client, chain: chain.then(next))
    }

    /// Adds work of any kind. See ``RequestChain/thenWork(named:_:)``.
    public func thenWork<Next: Sendable>(
        named name: String = "work", _ work: @escaping @Sendable (Client, Value) async throws -> Next
    ) -> ClientChain<Next> {
        ClientChain<Next>(client: client, chain: chain.thenWork(named: name, work))
    }

    /// Runs the chain. See ``RequestChain``.
    public func run(progress: (@Sendable (GroupProgress) -> Void)? = nil) async throws -> Value {
        try await chain.run(on: client, progress: progress)
    }

    /// Starts the chain for an owner. See ``Client/start(_:owner:progress:landed:)``.
    @MainActor @discardableResult
    public func start<Owner: AnyOwner>(
        owner: Owner, progress: (@MainActor (Owner, GroupProgress) -> Void)? = nil,
        landed: @escaping @MainActor (Owner, Result<Value, any Error>) -> Void
    ) -> CallHandle {
        client.start(chain, owner: owner, progress: progress, landed: landed)
    }
}
