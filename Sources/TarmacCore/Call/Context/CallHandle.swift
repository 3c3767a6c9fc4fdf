@_spi(TarmacRooms) import TarmacHTTP

/// A handle to a call in flight, as `start` returns it. Releasing it has no effect: the owner decides how long a call lives.
public final class CallHandle: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var end = End.none
        var hasLanded = false
        var onLanding: [@Sendable () -> Void] = []
        var onEnd: [Int: @Sendable () -> Void] = [:]
        var nextKey = 0
        var afterDelivery: [@Sendable () async -> Void] = []
        var pause = Pause()
        var onPause: [Int: @Sendable (Pause) -> Void] = [:]
    }
    private enum End {
        case none, cancelled, abandoned
    }
    /// Whether the work is paused, and how often that has changed: changes may be reported out of order.
    package struct Pause: Sendable {
        package fileprivate(set) var isPaused = false
        package fileprivate(set) var number = 0
    }
    private let state = Locked(State())

    init() {}

    /// Cancels the call. Its owner gets one `CancellationError`. After landing, it does nothing.
    public func cancel() { end(.cancelled) }

    /// Pauses the downloads and uploads of the work, and keeps the bytes transferred so far. Other calls continue.
    ///
    /// A paused call waits and stays one call: its ``Options/deadline`` continues to run. A transfer that completes before it can
    /// be stopped is not affected.
    public func pause() { setPaused(true) }

    /// Continues a paused work: a download by Range, or from the beginning if the server does not support it.
    public func resume() { setPaused(false) }

    /// Whether the work is paused. After landing it is not.
    public var isPaused: Bool { state.withLock { $0.pause.isPaused } }

    private func setPaused(_ isPaused: Bool) {
        let (pause, actions) = state.withLock { state -> (Pause, [Int: @Sendable (Pause) -> Void]) in
            guard !state.hasLanded, state.end == .none, state.pause.isPaused != isPaused else { return (state.pause, [:]) }
            state.pause = Pause(isPaused: isPaused, number: state.pause.number + 1)
            return (state.pause, state.onPause)
        }
        for action in actions.values { action(pause) }
    }

    /// Runs `action` now and whenever the work is paused or resumed, until it lands. Pass the returned key to
    /// ``forgetPause(_:)`` to remove the action.
    package func whenPaused(_ action: @escaping @Sendable (Pause) -> Void) -> Int {
        let (key, pause) = state.withLock { state in
            defer { state.nextKey += 1 }
            if state.end == .none, !state.hasLanded { state.onPause[state.nextKey] = action }
            return (state.nextKey, state.pause)
        }
        action(pause)
        return key
    }

    package func forgetPause(_ key: Int) { _ = state.withLock { $0.onPause.removeValue(forKey: key) } }

    /// Whether the call has landed, or ended silently because its owner is gone.
    public var hasLanded: Bool { state.withLock { $0.hasLanded } }

    /// Whether the call was cancelled before it landed.
    public var isCancelled: Bool { state.withLock { $0.end == .cancelled } }

    /// Whether the call is in flight and will deliver its own result.
    var isFlying: Bool { state.withLock { !$0.hasLanded && $0.end == .none } }

    /// Whether the handle holds the task of the call.
    var holdsTask: Bool { state.withLock { $0.task != nil } }

    /// Ends the call silently, because its owner is gone.
    func abandon() { end(.abandoned) }

    private func end(_ end: End) {
        let (task, actions, _) = state.withLock { state -> (Task<Void, Never>?, [Int: @Sendable () -> Void], [Int: @Sendable (Pause) -> Void]) in
            guard !state.hasLanded, state.end == .none else { return (nil, [:], [:]) }
            state.end = end
            state.pause.isPaused = false
            defer { (state.onEnd, state.onPause) = ([:], [:]) }
            return (state.task, state.onEnd, state.onPause)
        }
        task?.cancel()
        for action in actions.values { action() }
    }

    /// Whether the call was cancelled, or its owner is gone.
    var isOver: Bool { state.withLock { $0.end != .none } }

    /// Runs `action` as soon as the call is cancelled or its owner is gone, before it lands. Pass the returned key to
    /// ``forget(_:)`` to remove the action.
    package func whenEnded(_ action: @escaping @Sendable () -> Void) -> Int {
        let (key, isOver) = state.withLock { state in
            defer { state.nextKey += 1 }
            if state.end == .none, !state.hasLanded { state.onEnd[state.nextKey] = action }
            return (state.nextKey, state.end != .none)
        }
        if isOver { action() }
        return key
    }

    package func forget(_ key: Int) { _ = state.withLock { $0.onEnd.removeValue(forKey: key) } }

    /// Runs `action` after the result was delivered, or dropped because the owner is gone.
    package func whenDelivered(_ action: @escaping @Sendable () async -> Void) {
        state.withLock { $0.afterDelivery.append(action) }
    }

    /// Runs the actions that wait for the delivery of the result.
    func delivered() async {
        let actions = state.withLock { state in
            defer { state.afterDelivery = [] }
            return state.afterDelivery
        }
        for action in actions { await action() }
    }

    /// Sets the task that runs the call.
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

    /// Returns the result to deliver: `nil` if the owner is gone, and a cancellation if that came first. Only the first landing counts.
    func land<Value>(_ result: Result<Value, any Error>) -> Result<Value, any Error>? {
        let (delivery, actions, _) = state.withLock { state -> (Result<Value, any Error>?, [@Sendable () -> Void], State?) in
            if state.hasLanded { return (nil, [], nil) }
            state.hasLanded = true
            state.pause.isPaused = false
            // The tasks and actions that nothing needs any more are released without the lock.
            let before = state
            (state.task, state.onLanding, state.onEnd, state.onPause) = (nil, [], [:], [:])
            let delivery: Result<Value, any Error>? =
                switch state.end {
                case .none: result
                case .cancelled: .failure(CancellationError())
                case .abandoned: nil
                }
            return (delivery, before.onLanding, before)
        }
        for action in actions { action() }
        return delivery
    }
}
