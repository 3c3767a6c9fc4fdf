extension Client {
    /// Starts a call that belongs to `owner`, and delivers its result on the main actor.
    ///
    /// When the owner is released, the call is cancelled and `landed` is not called. The closure gets the owner as a
    /// parameter, so it needs no `[weak self]`.
    ///
    /// ```swift
    /// client.start(GetUser(id: 7), owner: self) { owner, result in owner.show(result) }
    /// ```
    /// `configure` sets the settings of this call alone. `landed` is called exactly once while the owner exists, with the
    /// value, a `TarmacError` or one `CancellationError`.
    @MainActor @discardableResult
    public func start<E: Endpoint, Owner: AnyOwner>(
        _ endpoint: E, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner, Result<E.Value, any Error>) -> Void
    ) -> CallHandle {
        OwnedFlight.start(owner: owner, lifetime: .of(owner), work: work(endpoint, configure), landed: landed)
    }

    /// Starts any async work that belongs to `owner`, and delivers its result on the main actor.
    ///
    /// ```swift
    /// client.start(owner: self) { try await $0.send(GetUser(id: 7)).friends } landed: { owner, result in owner.show(result) }
    /// ```
    @MainActor @discardableResult
    public func start<Owner: AnyOwner, Value: Sendable>(
        owner: Owner, work: @escaping @Sendable (Client) async throws -> Value,
        landed: @escaping @MainActor (Owner, Result<Value, any Error>) -> Void
    ) -> CallHandle {
        OwnedFlight.start(owner: owner, lifetime: .of(owner), work: self.work(work), landed: landed)
    }

    /// Starts a call that belongs to a `Sendable` owner off the main actor. `landed` runs wherever the call ended.
    @discardableResult
    public func startAnywhere<E: Endpoint, Owner: AnyOwner & Sendable>(
        _ endpoint: E, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @Sendable (Owner, Result<E.Value, any Error>) -> Void
    ) -> CallHandle {
        OwnedFlight.startAnywhere(owner: owner, lifetime: .of(owner), work: work(endpoint, configure), landed: landed)
    }

    /// Starts any async work that belongs to a `Sendable` owner off the main actor. `landed` runs wherever the work
    /// ended.
    @discardableResult
    public func startAnywhere<Owner: AnyOwner & Sendable, Value: Sendable>(
        owner: Owner, work: @escaping @Sendable (Client) async throws -> Value,
        landed: @escaping @Sendable (Owner, Result<Value, any Error>) -> Void
    ) -> CallHandle {
        OwnedFlight.startAnywhere(owner: owner, lifetime: .of(owner), work: self.work(work), landed: landed)
    }

    // MARK: Work that does not keep the client alive

    func work<E: Endpoint>(_ endpoint: E, _ configure: (inout Options) -> Void) -> OwnedWork<E.Value> {
        let options = Options(configure)
        return OwnedWork(engine, belongs: engine.belongs(endpoint, options)) { [engine] in
            try await engine.land(endpoint, options, CallBinding(owner: $0, isOwners: true)).value
        }
    }

    func landedWork<E: Endpoint>(_ endpoint: E, _ configure: (inout Options) -> Void) -> OwnedWork<Landed<E.Value>> {
        let options = Options(configure)
        return OwnedWork(engine, belongs: engine.belongs(endpoint, options)) { [engine] owner in
            try await engine.land(endpoint, options, CallBinding(owner: owner, isOwners: true))
        }
    }

    func work<Value: Sendable>(_ work: @escaping @Sendable (Client) async throws -> Value) -> OwnedWork<Value> {
        OwnedWork(engine, run: { [engine] in try await work(Client(unowned: engine, binding: CallBinding(owner: $0))) })
    }
}

extension Engine {
    /// Returns a closure that tells whether a call belongs to a selection. It works before the call has its settings.
    fileprivate func belongs<E: Endpoint>(_ endpoint: E, _ call: Options) -> @Sendable (CallSelection) -> Bool {
        { [self] selection in
            switch selection {
            case .tag(let tag): tags(of: endpoint, call).contains(tag)
            case .service(let service): name(of: endpoint.service).isExactly(service)
            case .all, .owner: false
            }
        }
    }
}
