extension Client {
    /// Starts a work that belongs to `owner`, and delivers its result on the main actor.
    ///
    /// When the owner is released, the work is cancelled and no closure is called. The closures get the owner as a
    /// parameter, so they need no `[weak self]`.
    ///
    /// ```swift
    /// client.start(GetUser(id: 7), owner: self) { owner, result in owner.show(result) }
    /// client.start(Download(Film(id: 1), to: path), owner: self, progress: { owner, p in owner.bar.show(p) }) { owner, result in … }
    /// ```
    /// - Parameters:
    ///   - work: the call, the transfer, the group, or a ``ClientWork``.
    ///   - owner: the owner of the work.
    ///   - configure: sets the settings of this work alone.
    ///   - progress: called with the progress on the main actor, while the owner exists and before `landed`. The progress only
    ///     grows. A value may be skipped if a newer one arrives before the main actor is free; the last one never is.
    ///   - landed: called exactly once while the owner exists, with the value, a `TarmacError` or one `CancellationError`.
    @MainActor @discardableResult
    public func start<W: Work, Owner: AnyOwner>(
        _ work: W, owner: Owner, configure: (inout Options) -> Void = { _ in },
        progress: (@MainActor (Owner, W.WorkProgress) -> Void)? = nil,
        landed: @escaping @MainActor (Owner, Result<W.Value, any Error>) -> Void
    ) -> CallHandle {
        OwnedFlight.start(work, Options(configure), on: engine, owner: owner, progress: progress) { owner, result in
            landed(owner, result.map(\.value))
        }
    }

    /// Starts a work that belongs to a `Sendable` owner off the main actor. `progress` and `landed` run on any thread.
    @discardableResult
    public func startAnywhere<W: Work, Owner: AnyOwner & Sendable>(
        _ work: W, owner: Owner, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (Owner, W.WorkProgress) -> Void)? = nil,
        landed: @escaping @Sendable (Owner, Result<W.Value, any Error>) -> Void
    ) -> CallHandle {
        let report = progress.map { progress in
            { @Sendable [weak owner] (value: W.WorkProgress) in if let owner { progress(owner, value) } }
        }
        return OwnedFlight.startAnywhere(
            owner: owner, lifetime: .of(owner), work: OwnedWork(work, Options(configure), on: engine, progress: report)
        ) { owner, result in
            landed(owner, result.map(\.value))
        }
    }
}

extension OwnedFlight {
    /// Starts a work for an owner on the main actor. `landed` receives the landing too, if there is one.
    @MainActor
    static func start<W: Work, Owner: AnyOwner>(
        _ work: W, _ options: Options, on engine: Engine, owner: Owner, progress: (@MainActor (Owner, W.WorkProgress) -> Void)?,
        landed: @escaping @MainActor (Owner, Result<WorkResult<W.Value>, any Error>) -> Void
    ) -> CallHandle {
        let observer = OwnedProgress(owner, progress)
        let owned = OwnedWork(work, options, on: engine, progress: observer?.report)
        return start(owner: owner, lifetime: .of(owner), work: owned) { owner, result in
            observer?.stop()
            landed(owner, result)
        }
    }
}

extension OwnedWork {
    /// The work does not keep the client alive.
    init<W: Work>(
        _ work: W, _ options: Options, on engine: Engine, progress: (@Sendable (W.WorkProgress) -> Void)?
    ) where Value == WorkResult<W.Value> {
        self.init(engine) { selection in
            work.traits(in: WorkRun(engine, options, .none)).areIn(selection, on: engine)
        } run: { owner in
            try await work.perform(in: WorkRun(engine, options, CallBinding(owner: owner, isOwners: true)), progress: progress)
        }
    }
}
