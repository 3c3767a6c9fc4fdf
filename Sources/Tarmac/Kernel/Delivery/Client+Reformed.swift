extension Client {
    /// Sends a call and returns what a reformer makes of its answer (XF-3, LM-6).
    ///
    /// ```swift
    /// let cells = try await client.send(ListProducts(page: 1), reformedBy: ProductCells())
    /// ```
    /// See ``ReformedEndpoint`` for what becomes of the endpoint's own value.
    /// - Throws: `TarmacError`, with `.reformingFailed` for what the reformer threw, or `CancellationError`.
    nonisolated(nonsending) public func send<E: Endpoint, R: Reformer>(
        _ endpoint: E, reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value { try await send(endpoint.reformed(by: reformer), configure: configure) }

    /// Sends a call and returns what a plain function makes of its answer.
    nonisolated(nonsending) public func send<E: Endpoint, Made: Sendable>(
        _ endpoint: E, reformedBy function: @escaping @Sendable (Payload) throws -> Made, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made { try await send(endpoint.reformed(by: function), configure: configure) }

    /// The same with everything that came along.
    nonisolated(nonsending) public func landed<E: Endpoint, R: Reformer>(
        for endpoint: E, reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Landed<R.Value> { try await landed(for: endpoint.reformed(by: reformer), configure: configure) }

    /// The same with a plain function.
    nonisolated(nonsending) public func landed<E: Endpoint, Made: Sendable>(
        for endpoint: E, reformedBy function: @escaping @Sendable (Payload) throws -> Made, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Landed<Made> { try await landed(for: endpoint.reformed(by: function), configure: configure) }

    // MARK: For an owner

    /// Starts a call that belongs to `owner`, and delivers what a reformer makes of its answer.
    @MainActor @discardableResult
    public func start<E: Endpoint, R: Reformer, Owner: LifetimeOwner>(
        _ endpoint: E, reformedBy reformer: R, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner, Result<R.Value, any Error>) -> Void
    ) -> CallHandle { start(endpoint.reformed(by: reformer), owner: owner, configure: configure, landed: landed) }

    /// Starts a call that belongs to `owner`, and delivers what a plain function makes of its answer.
    @MainActor @discardableResult
    public func start<E: Endpoint, Made: Sendable, Owner: LifetimeOwner>(
        _ endpoint: E, reformedBy function: @escaping @Sendable (Payload) throws -> Made, owner: Owner,
        configure: (inout Options) -> Void = { _ in }, landed: @escaping @MainActor (Owner, Result<Made, any Error>) -> Void
    ) -> CallHandle { start(endpoint.reformed(by: function), owner: owner, configure: configure, landed: landed) }

    /// Starts a call that belongs to a `Sendable` owner off the main actor; `landed` runs wherever the call ended.
    @discardableResult
    public func startAnywhere<E: Endpoint, R: Reformer, Owner: LifetimeOwner & Sendable>(
        _ endpoint: E, reformedBy reformer: R, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @Sendable (Owner, Result<R.Value, any Error>) -> Void
    ) -> CallHandle { startAnywhere(endpoint.reformed(by: reformer), owner: owner, configure: configure, landed: landed) }

    /// The same with a plain function.
    @discardableResult
    public func startAnywhere<E: Endpoint, Made: Sendable, Owner: LifetimeOwner & Sendable>(
        _ endpoint: E, reformedBy function: @escaping @Sendable (Payload) throws -> Made, owner: Owner,
        configure: (inout Options) -> Void = { _ in }, landed: @escaping @Sendable (Owner, Result<Made, any Error>) -> Void
    ) -> CallHandle { startAnywhere(endpoint.reformed(by: function), owner: owner, configure: configure, landed: landed) }

    // MARK: To hold

    /// A call to start later, delivered reformed to a method of its owner.
    @MainActor
    public func call<E: Endpoint, R: Reformer, Owner: LifetimeOwner>(
        _ endpoint: E, reformedBy reformer: R, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner) -> @MainActor (Result<R.Value, any Error>) -> Void
    ) -> Call<R.Value> { call(endpoint.reformed(by: reformer), owner: owner, configure: configure, landed: landed) }

    /// The same with a plain function.
    @MainActor
    public func call<E: Endpoint, Made: Sendable, Owner: LifetimeOwner>(
        _ endpoint: E, reformedBy function: @escaping @Sendable (Payload) throws -> Made, owner: Owner,
        configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner) -> @MainActor (Result<Made, any Error>) -> Void
    ) -> Call<Made> { call(endpoint.reformed(by: function), owner: owner, configure: configure, landed: landed) }

    /// A call to start later, delivered to a delegate, which also owns it. A delegate may as well pull with
    /// ``AnyCall/reformed(by:)-(Reforming)``.
    @MainActor
    public func call<E: Endpoint, R: Reformer, Delegate: CallDelegate & LifetimeOwner>(
        _ endpoint: E, reformedBy reformer: R, delegate: Delegate, configure: (inout Options) -> Void = { _ in }
    ) -> Call<R.Value> { call(endpoint.reformed(by: reformer), delegate: delegate, configure: configure) }
}

extension CallSlot {
    /// Starts a call for `owner` or does what the rule says, and delivers what a reformer makes of its answer.
    @discardableResult
    public func start<R: Reformer, Owner: LifetimeOwner>(
        _ endpoint: E, reformedBy reformer: R, on client: Client, owner: Owner,
        configure: @escaping @Sendable (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner, Result<R.Value, any Error>) -> Void
    ) -> Bool { offer(endpoint.reformed(by: reformer), on: client, owner: owner, configure: configure, landed: landed) }

    /// The same with a plain function.
    @discardableResult
    public func start<Made: Sendable, Owner: LifetimeOwner>(
        _ endpoint: E, reformedBy function: @escaping @Sendable (Payload) throws -> Made, on client: Client, owner: Owner,
        configure: @escaping @Sendable (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner, Result<Made, any Error>) -> Void
    ) -> Bool { offer(endpoint.reformed(by: function), on: client, owner: owner, configure: configure, landed: landed) }
}
