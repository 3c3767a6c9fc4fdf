/// A wait that ends once, with the first result it receives.
///
/// Copies share one state. The value may be settled before, while or after a task waits for it.
@_spi(TarmacRooms) public struct Settlement<Value: Sendable>: Sendable {
    @usableFromInline enum State {
        case new
        case waiting(UnsafeContinuation<Value, any Error>)
        case settledEarly(Result<Value, any Error>)
        case done
    }
    @usableFromInline let state: Locked<State>

    @inlinable public init() { state = Locked(State.new) }

    /// Whether a result has arrived.
    @inlinable public var isSettled: Bool {
        state.withLock {
            switch $0 {
            case .settledEarly, .done: true
            case .new, .waiting: false
            }
        }
    }

    /// Ends the wait with a result. Returns `false` if an earlier result has ended it.
    @inlinable @discardableResult
    public func settle(_ result: Result<Value, any Error>) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, UnsafeContinuation<Value, any Error>?) in
            switch state {
            case .new:
                state = .settledEarly(result)
                return (true, nil)
            case .waiting(let continuation):
                state = .done
                return (true, continuation)
            case .settledEarly, .done: return (false, nil)
            }
        }
        continuation?.resume(with: result)
        return isFirst
    }

    /// Returns or throws the result. The cancellation of the task settles the wait with `CancellationError`.
    ///
    /// - Parameter begun: called once, as soon as the task waits, with `false` if the result was there before.
    @inlinable public func value(begun: (_ isWaiting: Bool) -> Void = { _ in }) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { begun(wait($0)) }
        } onCancel: {
            settle(.failure(CancellationError()))
        }
    }

    @inlinable func wait(_ continuation: UnsafeContinuation<Value, any Error>) -> Bool {
        let early = state.withLock { state -> Result<Value, any Error>? in
            if case .settledEarly(let result) = state {
                state = .done
                return result
            }
            state = .waiting(continuation)
            return nil
        }
        guard let early else { return true }
        continuation.resume(with: early)
        return false
    }
}
