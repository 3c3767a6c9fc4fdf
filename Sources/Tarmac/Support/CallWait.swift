/// One call that waits for something. Whoever settles it first decides: what it waits for, a limit in time, or its caller.
// SAFETY: what changes is behind the lock; the rest is constant.
final class CallWait: DeadlineEntry, @unchecked Sendable {
    private enum State {
        case new
        case waiting(UnsafeContinuation<Void, any Error>)
        case settledEarly(Result<Void, any Error>)
        case done
    }
    private let state = Locked(State.new)
    private let expiry: Result<Void, any Error>

    /// A wait with an end of its own.
    ///
    /// - Parameter late: what the call ends with at its deadline.
    init(late: TarmacError) { expiry = .failure(late) }

    /// A pause: the call goes on when it is over.
    override init() { expiry = .success(()) }

    /// Returns when the wait has been settled, by the call's deadline at the latest.
    func value(for context: CallContext) async throws { try await value(for: context, until: context.deadline) }

    /// Returns when the wait has been settled or its limit is reached.
    func value(for context: CallContext, until limit: ContinuousClock.Instant?) async throws {
        let heap = context.runtime.deadlines
        if let limit { heap.add(self, at: limit) }
        defer { if limit != nil { heap.remove(self) } }
        context.whenCancelled { [weak self] in self?.settle(.failure(CancellationError())) }
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { wait($0) }
        } onCancel: {
            settle(.failure(CancellationError()))
        }
    }

    private func wait(_ continuation: UnsafeContinuation<Void, any Error>) {
        let early = state.withLock { state -> Result<Void, any Error>? in
            if case .settledEarly(let result) = state {
                state = .done
                return result
            }
            state = .waiting(continuation)
            return nil
        }
        if let early { continuation.resume(with: early) }
    }

    func settle(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state -> UnsafeContinuation<Void, any Error>? in
            switch state {
            case .new:
                state = .settledEarly(result)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .settledEarly, .done: return nil
            }
        }
        continuation?.resume(with: result)
    }

    var isSettled: Bool {
        state.withLock {
            switch $0 {
            case .settledEarly, .done: true
            case .new, .waiting: false
            }
        }
    }

    override var isDone: Bool { isSettled }

    override func expire(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        settle(expiry)
        return nil
    }
}
