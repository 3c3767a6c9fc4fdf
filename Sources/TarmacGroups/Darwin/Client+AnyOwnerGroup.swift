#if canImport(ObjectiveC)
public import TarmacCore

extension Client {
    /// Starts a batch, a chain or a graph for any object and delivers its result on the main actor.
    @MainActor @discardableResult
    @_disfavoredOverload
    public func start<Group: CallGroup, Owner: AnyObject>(
        _ group: Group, owner: Owner, progress: (@MainActor (Owner, GroupProgress) -> Void)? = nil,
        landed: @escaping @MainActor (Owner, Result<Group.Value, any Error>) -> Void
    ) -> CallHandle {
        start(group, owner: owner, lifetime: .of(owner), progress: progress, landed: landed)
    }

    /// Returns a call for a batch, a chain or a graph, to start later. A method of any object receives the result.
    @MainActor
    @_disfavoredOverload
    public func call<Group: CallGroup, Owner: AnyObject>(
        _ group: Group, owner: Owner, landed: @escaping @MainActor (Owner) -> @MainActor (Result<Group.Value, any Error>) -> Void
    ) -> Call<Group.Value> {
        Call(owner: owner, lifetime: .of(owner), work: work(group)) { landed($0)($1) }
    }
}
#endif
