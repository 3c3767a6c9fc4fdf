#if canImport(ObjectiveC)
extension Client {
    /// Starts a call that belongs to any object, and delivers its result on the main actor.
    @MainActor @discardableResult
    @_disfavoredOverload
    public func start<E: Endpoint, Owner: AnyObject>(
        _ endpoint: E, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner, Result<E.Value, any Error>) -> Void
    ) -> CallHandle {
        OwnedFlight.start(owner: owner, lifetime: .of(owner), work: work(endpoint, configure), landed: landed)
    }

    /// Starts any async work that belongs to any object, and delivers its result on the main actor.
    @MainActor @discardableResult
    @_disfavoredOverload
    public func start<Owner: AnyObject, Value: Sendable>(
        owner: Owner, work: @escaping @Sendable (Client) async throws -> Value,
        landed: @escaping @MainActor (Owner, Result<Value, any Error>) -> Void
    ) -> CallHandle {
        OwnedFlight.start(owner: owner, lifetime: .of(owner), work: self.work(work), landed: landed)
    }

    /// Starts reading a sequence that belongs to any object, and delivers each element on the main actor.
    @MainActor @discardableResult
    @_disfavoredOverload
    public func start<Owner: AnyObject, Elements: AsyncSequence>(
        owner: Owner, reading: @escaping @Sendable (Client) -> Elements, each: @escaping @MainActor (Owner, Elements.Element) -> Void,
        landed: @escaping @MainActor (Owner, Result<Void, any Error>) -> Void
    ) -> CallHandle where Elements: SendableMetatype, Elements.AsyncIterator: SendableMetatype, Elements.Element: Sendable {
        OwnedFlight.start(owner: owner, lifetime: .of(owner), work: work(reading: reading, each: each), landed: landed)
    }

    /// Returns a call to start later. A method of any object receives the result.
    @MainActor
    @_disfavoredOverload
    public func call<E: Endpoint, Owner: AnyObject>(
        _ endpoint: E, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner) -> @MainActor (Result<E.Value, any Error>) -> Void
    ) -> Call<E.Value> {
        Call(owner: owner, lifetime: .of(owner), landing: landedWork(endpoint, configure)) { landed($0)($1) }
    }
}
#endif
