/// Work bound to an owner: it ends with the owner, and lands once with the owner at hand.
enum OwnedFlight {
    /// Delivers on the main actor.
    @MainActor
    static func start<Owner: AnyObject, Value: Sendable>(
        owner: Owner, lifetime: Lifetime, work: @escaping @Sendable () async throws -> Value,
        landed: @escaping @MainActor (Owner, Result<Value, any Error>) -> Void
    ) -> CallHandle {
        let owner = WeakOwner(owner)
        return start(lifetime: lifetime, work: work) { result in
            await MainActor.run {
                // The owner first: one that is gone hears nothing, even of a call that had already ended well.
                let living = owner.value
                guard let delivery = result(), let living else { return }
                landed(living, delivery)
            }
        }
    }

    /// Lands a call that never took off as cancelled.
    @MainActor
    static func cancelled<Owner: AnyObject, Value: Sendable>(
        owner: Owner, lifetime: Lifetime, landed: @escaping @MainActor (Owner, Result<Value, any Error>) -> Void
    ) {
        _ = start(owner: owner, lifetime: lifetime, work: { throw CancellationError() }, landed: landed)
    }

    /// Delivers wherever the work ended.
    static func startAnywhere<Owner: AnyObject & Sendable, Value: Sendable>(
        owner: Owner, lifetime: Lifetime, work: @escaping @Sendable () async throws -> Value,
        landed: @escaping @Sendable (Owner, Result<Value, any Error>) -> Void
    ) -> CallHandle {
        let owner = WeakOwner(owner)
        return start(lifetime: lifetime, work: work) { result in
            let living = owner.value
            guard let delivery = result(), let living else { return }
            landed(living, delivery)
        }
    }

    private static func start<Value: Sendable>(
        lifetime: Lifetime, work: @escaping @Sendable () async throws -> Value,
        deliver: @escaping @Sendable (@escaping @Sendable () -> Result<Value, any Error>?) async -> Void
    ) -> CallHandle {
        let handle = CallHandle()
        lifetime.keep(handle)
        // LIFETIME: ends when the work does; cancelled by the handle, and by the owner's lifetime when the owner goes.
        let task = Task.detached {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(Landings.publicError(error)) }
            await deliver { handle.land(result) }
        }
        handle.fly(task)
        return handle
    }
}

/// An owner, held weakly.
// SAFETY: a main-actor delivery is started and read on the main actor; the other kind has a Sendable owner.
private final class WeakOwner<Owner: AnyObject>: @unchecked Sendable {
    private weak var owner: Owner?
    init(_ owner: Owner) { self.owner = owner }
    var value: Owner? { owner }
}

enum Landings {
    /// Law 2: what leaves Tarmac is a `TarmacError` or a `CancellationError`, also when the user's own work threw.
    static func publicError(_ error: any Error) -> any Error {
        error is TarmacError || error is CancellationError ? error : foreign(error)
    }

    /// An error of the caller's own code.
    static func foreign(_ error: any Error) -> TarmacError {
        TarmacError(.callerFailed, phase: .delivering, "the caller's own code threw \(type(of: error))", cause: error)
    }
}
