/// Work bound to an owner. It ends with the owner, and delivers its result once together with the owner.
package enum OwnedFlight {
    /// Starts work and delivers its result on the main actor.
    @MainActor
    package static func start<Owner: AnyObject, Value: Sendable>(
        owner: Owner, lifetime: Lifetime, work: OwnedWork<Value>, landed: @escaping @MainActor (Owner, Result<Value, any Error>) -> Void
    ) -> CallHandle {
        let owner = WeakOwner(owner, CallHandle())
        return start(owner, lifetime: lifetime, work: work) { result in
            await MainActor.run {
                // The owner first: an owner that is gone gets nothing, even from a call that had already succeeded.
                let living = owner.value
                guard let delivery = result(), let living else { return }
                landed(living, delivery)
            }
        }
    }

    /// Lands a call that never started as cancelled.
    @MainActor
    static func cancelled<Owner: AnyObject, Value: Sendable>(
        owner: Owner, lifetime: Lifetime, in engine: Engine, landed: @escaping @MainActor (Owner, Result<Value, any Error>) -> Void
    ) {
        _ = start(owner: owner, lifetime: lifetime, work: OwnedWork(engine, run: { _ in throw CancellationError() }), landed: landed)
    }

    /// Starts work and delivers its result wherever the work ends.
    package static func startAnywhere<Owner: AnyObject & Sendable, Value: Sendable>(
        owner: Owner, lifetime: Lifetime, work: OwnedWork<Value>,
        landed: @escaping @Sendable (Owner, Result<Value, any Error>) -> Void
    ) -> CallHandle {
        let owner = WeakOwner(owner, CallHandle())
        return start(owner, lifetime: lifetime, work: work) { result in
            let living = owner.value
            guard let delivery = result(), let living else { return }
            landed(living, delivery)
        }
    }

    private static func start<Value: Sendable>(
        _ owner: CallOwner, lifetime: Lifetime, work: OwnedWork<Value>,
        deliver: @escaping @Sendable (@escaping @Sendable () -> Result<Value, any Error>?) async -> Void
    ) -> CallHandle {
        let handle = owner.handle
        lifetime.keep(handle)
        // Before anything starts: a cancellation in the same turn must find the work.
        let place = work.engine.enter(.owned(owner, work.belongs))
        let run: @Sendable () async -> Void = {
            let result: Result<Value, any Error>
            do { result = .success(try await work.run(owner)) } catch { result = .failure(TarmacError.publicError(error)) }
            work.engine.leave(place)
            await deliver { handle.land(result) }
            await handle.delivered()
        }
        // LIFETIME: ends when the work does; cancelled by the handle, and by the owner's lifetime when the owner goes. It keeps the
        // caller's task-local values, such as a trace, except within work that other calls wait for: it is no part of that work.
        handle.fly(AwaitedWork.current == nil ? Task(priority: .medium, operation: run) : Task.detached(operation: run))
        return handle
    }
}

/// The work for an owner, and how a selection for cancelling recognizes it.
package struct OwnedWork<Value: Sendable>: Sendable {
    let engine: Engine
    /// Tells whether the work has a tag or uses a service. It runs only when one is looked for. It is `nil` for work
    /// without them.
    let belongs: (@Sendable (CallSelection) -> Bool)?
    let run: @Sendable (CallOwner) async throws -> Value

    package init(
        _ engine: Engine, belongs: (@Sendable (CallSelection) -> Bool)? = nil, run: @escaping @Sendable (CallOwner) async throws -> Value
    ) {
        self.engine = engine
        self.belongs = belongs
        self.run = run
    }
}
