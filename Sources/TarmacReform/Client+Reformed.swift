public import TarmacCore

extension Client {
    // MARK: For an owner

    /// Starts a call for `owner` and delivers the value that a reformer makes of the response.
    @MainActor @discardableResult
    public func start<E: Endpoint, R: Reformer, Owner: AnyOwner>(
        _ endpoint: E, reformedBy reformer: R, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner, Result<R.Value, any Error>) -> Void
    ) -> CallHandle { start(endpoint.reformed(by: reformer), owner: owner, configure: configure, landed: landed) }

    /// Starts a call for a `Sendable` owner and delivers the value that a reformer makes of the response. `landed` runs
    /// on any thread.
    @discardableResult
    public func startAnywhere<E: Endpoint, R: Reformer, Owner: AnyOwner & Sendable>(
        _ endpoint: E, reformedBy reformer: R, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @Sendable (Owner, Result<R.Value, any Error>) -> Void
    ) -> CallHandle { startAnywhere(endpoint.reformed(by: reformer), owner: owner, configure: configure, landed: landed) }

    // MARK: Calls to start later

    /// Returns a call to start later. A method of the owner receives the value that a reformer makes of the response.
    @MainActor
    public func call<E: Endpoint, R: Reformer, Owner: AnyOwner>(
        _ endpoint: E, reformedBy reformer: R, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner) -> @MainActor (Result<R.Value, any Error>) -> Void
    ) -> Call<R.Value> { call(endpoint.reformed(by: reformer), owner: owner, configure: configure, landed: landed) }

    /// Returns a call to start later. The delegate owns it and receives the value that a reformer makes of the
    /// response.
    ///
    /// A delegate can also ask the call for values with ``AnyCall/reformed(by:)-(Reforming)``.
    @MainActor
    public func call<E: Endpoint, R: Reformer, Delegate: CallDelegate & AnyOwner>(
        _ endpoint: E, reformedBy reformer: R, delegate: Delegate, configure: (inout Options) -> Void = { _ in }
    ) -> Call<R.Value> { call(endpoint.reformed(by: reformer), delegate: delegate, configure: configure) }
}

extension CallSlot {
    /// Starts a call for `owner`, unless the slot's rule says otherwise, and delivers the value that a reformer makes
    /// of the response.
    @discardableResult
    public func start<R: Reformer, Owner: AnyOwner>(
        _ endpoint: E, reformedBy reformer: R, on client: Client, owner: Owner,
        configure: @escaping @Sendable (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner, Result<R.Value, any Error>) -> Void
    ) -> Bool { offer(endpoint.reformed(by: reformer), on: client, owner: owner, configure: configure, landed: landed) }
}
