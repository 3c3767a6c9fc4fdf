#if canImport(ObjectiveC)
public import TarmacCore

extension Client {
    /// Starts a call for any object and delivers the value that a reformer makes of the response.
    @MainActor @discardableResult
    @_disfavoredOverload
    public func start<E: Endpoint, R: Reformer, Owner: AnyObject>(
        _ endpoint: E, reformedBy reformer: R, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner, Result<R.Value, any Error>) -> Void
    ) -> CallHandle { start(endpoint.reformed(by: reformer), owner: owner, configure: configure, landed: landed) }

    /// Returns a call to start later. A method of any object receives the value that a reformer makes of the response.
    @MainActor
    @_disfavoredOverload
    public func call<E: Endpoint, R: Reformer, Owner: AnyObject>(
        _ endpoint: E, reformedBy reformer: R, owner: Owner, configure: (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner) -> @MainActor (Result<R.Value, any Error>) -> Void
    ) -> Call<R.Value> { call(endpoint.reformed(by: reformer), owner: owner, configure: configure, landed: landed) }
}
#endif
