@_spi(TarmacRooms) public import TarmacCore

extension Client {
    /// Starts a batch, a chain or a graph for `owner` and delivers its result on the main actor. If the owner is
    /// deallocated, all calls are cancelled and no closure is called.
    ///
    /// ```swift
    /// client.start(Batch(GetImage(name: "1.jpg"), GetUser(id: 7)), owner: self) { owner, result in owner.show(result) }
    /// ```
    /// - Parameters:
    ///   - group: the group.
    ///   - owner: the owner of the calls.
    ///   - progress: called with the progress, on the main actor, while the owner lives and before `landed`. The
    ///     progress only grows. A value may be skipped if a newer one arrives before the main actor is free; the last
    ///     one never is.
    ///   - landed: called exactly once while the owner lives, with the value, a `TarmacError` or a `CancellationError`.
    @MainActor @discardableResult
    public func start<Group: CallGroup, Owner: AnyOwner>(
        _ group: Group, owner: Owner, progress: (@MainActor (Owner, GroupProgress) -> Void)? = nil,
        landed: @escaping @MainActor (Owner, Result<Group.Value, any Error>) -> Void
    ) -> CallHandle {
        start(group, owner: owner, lifetime: .of(owner), progress: progress, landed: landed)
    }

    /// Starts a batch, a chain or a graph for a `Sendable` owner. `landed` runs on any thread.
    @discardableResult
    public func startAnywhere<Group: CallGroup, Owner: AnyOwner & Sendable>(
        _ group: Group, owner: Owner, landed: @escaping @Sendable (Owner, Result<Group.Value, any Error>) -> Void
    ) -> CallHandle {
        OwnedFlight.startAnywhere(owner: owner, lifetime: .of(owner), work: work(group), landed: landed)
    }

    /// Returns a call for a batch, a chain or a graph, to start later. A method of the owner receives the result.
    /// Starting the call again has no effect until it has landed.
    @MainActor
    public func call<Group: CallGroup, Owner: AnyOwner>(
        _ group: Group, owner: Owner, landed: @escaping @MainActor (Owner) -> @MainActor (Result<Group.Value, any Error>) -> Void
    ) -> Call<Group.Value> {
        Call(owner: owner, lifetime: .of(owner), work: work(group)) { landed($0)($1) }
    }

    @MainActor
    func start<Group: CallGroup, Owner: AnyObject>(
        _ group: Group, owner: Owner, lifetime: Lifetime, progress: (@MainActor (Owner, GroupProgress) -> Void)?,
        landed: @escaping @MainActor (Owner, Result<Group.Value, any Error>) -> Void
    ) -> CallHandle {
        let observer = OwnedProgress(owner, progress)
        return OwnedFlight.start(owner: owner, lifetime: lifetime, work: work(group, observer?.report)) { owner, result in
            observer?.stop()
            landed(owner, result)
        }
    }

    func work<Group: CallGroup>(_ group: Group, _ progress: (@Sendable (GroupProgress) -> Void)? = nil) -> OwnedWork<Group.Value> {
        OwnedWork(engine) { selection in
            if case .tag(let tag) = selection { group.settings.tags.contains(tag) } else { false }
        } run: { [engine] owner in
            let client = Client(unowned: engine, binding: CallBinding(owner: owner, isOwnersWhole: true))
            return try await group.run(on: client, progress: progress)
        }
    }
}

/// Delivers the progress of a group to its owner on the main actor, never backwards and never after the result.
@MainActor
final class OwnedProgress {
    private let deliver: (GroupProgress) -> Void
    private let latest = Locked<GroupProgress?>(nil)
    private var isOver = false

    init?<Owner: AnyObject>(_ owner: Owner, _ progress: (@MainActor (Owner, GroupProgress) -> Void)?) {
        guard let progress else { return nil }
        deliver = { [weak owner] in
            if let owner { progress(owner, $0) }
        }
    }

    /// Receives the progress, on any thread.
    nonisolated var report: @Sendable (GroupProgress) -> Void {
        { progress in
            let isAwaited = self.latest.withLock { latest in
                defer { latest = progress }
                return latest != nil
            }
            // LIFETIME: one hop to the main actor, which delivers the latest progress.
            if !isAwaited { Task { @MainActor in self.show() } }
        }
    }

    /// Delivers progress that is pending, and none after that.
    func stop() {
        show()
        isOver = true
    }

    private func show() {
        let progress = latest.withLock { latest in
            defer { latest = nil }
            return latest
        }
        if let progress, !isOver { deliver(progress) }
    }
}
