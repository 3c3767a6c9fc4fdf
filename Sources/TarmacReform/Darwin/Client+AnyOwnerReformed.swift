#if canImport(ObjectiveC)
public import TarmacCore

extension Client {
    /// Starts a call that belongs to any object, and delivers what a reformer makes of its answer.
    @MainActor @discardableResult
    @_disfavoredOverload
    public func start<E: Endpoint, R: Reformer, Owner: AnyObject>(
        _ endpoint: E, reformedBy reformer: R, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner, Result<R.Value, any Error>) -> Void
    ) -> CallHandle { start(endpoint.reformed(by: reformer), owner: owner, configure: configure, landed: landed) }

    /// A call to start later, delivered reformed to a method of any object.
    @MainActor
    @_disfavoredOverload
    public func call<E: Endpoint, R: Reformer, Owner: AnyObject>(
        _ endpoint: E, reformedBy reformer: R, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner) -> @MainActor (Result<R.Value, any Error>) -> Void
    ) -> Call<R.Value> { call(endpoint.reformed(by: reformer), owner: owner, configure: configure, landed: landed) }
}
#endif
