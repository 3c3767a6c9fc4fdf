/// A call in flight: what `start` returns. Dropping it changes nothing; the owner decides how long a call lives.
public final class CallHandle: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var end = End.none
        var hasLanded = false
        var onLanding: [@Sendable () -> Void] = []
    }
    private enum End {
        case none, cancelled, abandoned
    }
    private let state = Locked(State())

    init() {}

    /// Ends the call; its owner gets one `CancellationError`. After landing it does nothing.
    public func cancel() { end(.cancelled) }

    /// Whether the call has landed or fallen silent.
    public var hasLanded: Bool { state.withLock { $0.hasLanded } }

    /// Whether the call was cancelled before it landed.
    public var isCancelled: Bool { state.withLock { $0.end == .cancelled } }

    /// Ends the call without a word: its owner is gone.
    func abandon() { end(.abandoned) }

    private func end(_ end: End) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard !state.hasLanded, state.end == .none else { return nil }
            state.end = end
            return state.task
        }
        task?.cancel()
    }

    /// Gives the handle the task that flies the call.
    func fly(_ task: Task<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.hasLanded { state.task = task }
            return state.end != .none
        }
        if isOver { task.cancel() }
    }

    func whenLanded(_ action: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.hasLanded { state.onLanding.append(action) }
            return state.hasLanded
        }
        if isOver { action() }
    }

    /// What is to be delivered: nothing to an owner who is gone, a cancellation if that came first. Only the first
    /// landing counts.
    func land<Value>(_ result: Result<Value, any Error>) -> Result<Value, any Error>? {
        let (delivery, actions) = state.withLock { state -> (Result<Value, any Error>?, [@Sendable () -> Void]) in
            if state.hasLanded { return (nil, []) }
            state.hasLanded = true
            state.task = nil
            defer { state.onLanding = [] }
            let delivery: Result<Value, any Error>? =
                switch state.end {
                case .none: result
                case .cancelled: .failure(CancellationError())
                case .abandoned: nil
                }
            return (delivery, state.onLanding)
        }
        for action in actions { action() }
        return delivery
    }
}
