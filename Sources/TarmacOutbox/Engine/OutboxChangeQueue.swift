import TarmacCore

/// What one consumer of changes has yet to see, bounded.
final class OutboxChangeQueue: Sendable {
    fileprivate struct State {
        /// In the order they happened; those before `head` have been seen.
        var changes: [OutboxChange] = []
        var head = 0
        var passing = 0
        /// How many final ones are not kept any more.
        var missed = 0
        var waiting: CheckedContinuation<OutboxChange?, Never>?
        var isOver = false
    }
    private let state = Locked(State())
    private let limits: Limits

    struct Limits {
        /// How many changes that are not final are kept.
        var passing = 256
        /// How many final ones.
        var final = 10_000
    }

    init(_ limits: Limits) { self.limits = limits }

    func add(_ change: OutboxChange) {
        let waiting = state.withLock { state -> CheckedContinuation<OutboxChange?, Never>? in
            if state.isOver { return nil }
            guard let waiting = state.waiting else {
                state.keep(change, limits)
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: change)
    }

    /// Ends it after what is kept has been seen.
    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }

    /// The next change; `nil` at the end, or when the task is cancelled.
    func next() async -> OutboxChange? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (change, isDone, former) = state.withLock { state -> (OutboxChange?, Bool, CheckedContinuation<OutboxChange?, Never>?) in
                    if let change = state.take() { return (change, true, nil) }
                    if state.isOver || Task.isCancelled { return (nil, true, nil) }
                    // One consumer: a second one takes the place of the first.
                    defer { state.waiting = continuation }
                    return (nil, false, state.waiting)
                }
                former?.resume(returning: nil)
                if isDone { continuation.resume(returning: change) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume(returning: nil)
        }
    }
}

extension OutboxChangeQueue.State {
    fileprivate mutating func keep(_ change: OutboxChange, _ limits: OutboxChangeQueue.Limits) {
        changes.append(change)
        if !change.kind.isFinal { passing += 1 }
        // In bulk, so that each of many costs little.
        if passing > limits.passing { passing -= drop(limits.passing / 8 + 1) { !$0.isFinal } }
        if changes.count - head - passing > limits.final { missed += drop(limits.final / 8 + 1) { $0.isFinal } }
    }

    /// Drops the oldest of a kind; returns how many.
    private mutating func drop(_ count: Int, where isMeant: (OutboxChange.Kind) -> Bool) -> Int {
        var dropped = 0
        changes = changes[head...].filter { change in
            guard dropped < count, isMeant(change.kind) else { return true }
            dropped += 1
            return false
        }
        head = 0
        return dropped
    }

    fileprivate mutating func take() -> OutboxChange? {
        if missed > 0 {
            defer { missed = 0 }
            return OutboxChange(id: nil, lane: nil, kind: .missed(missed))
        }
        guard head < changes.count else { return nil }
        let change = changes[head]
        head += 1
        if !change.kind.isFinal { passing -= 1 }
        if head > 64, head * 2 > changes.count {
            changes.removeFirst(head)
            head = 0
        }
        return change
    }
}
