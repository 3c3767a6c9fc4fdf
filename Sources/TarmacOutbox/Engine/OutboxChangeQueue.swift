@_spi(TarmacRooms) import TarmacCore

/// The unread changes of one consumer, with a limit.
final class OutboxChangeQueue: Sendable {
    fileprivate struct State {
        /// The changes in order; those before `head` have been read.
        var changes: [OutboxChange] = []
        var head = 0
        var passing = 0
        /// The number of final changes that were discarded.
        var missed = 0
        var waiting: Settlement<OutboxChange?>?
        var isOver = false
    }
    private let state = Locked(State())
    private let limits: Limits

    struct Limits {
        /// The number of changes that are not final and kept.
        var passing = 256
        /// The number of final changes kept.
        var final = 10_000
    }

    init(_ limits: Limits) { self.limits = limits }

    func add(_ change: OutboxChange) {
        state.withLock { state in
            if state.isOver { return }
            // Under the lock: a reader that was cancelled leaves the change to the next one, in its order.
            if let waiting = state.takeReader(), waiting.settle(.success(change)) { return }
            state.keep(change, limits)
        }
    }

    /// Ends the queue after the kept changes have been read.
    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            return state.takeReader()
        }
        waiting?.settle(.success(nil))
    }

    /// Returns the next change; `nil` at the end, or when the task is cancelled.
    func next() async -> OutboxChange? {
        let wait = Settlement<OutboxChange?>()
        let former = state.withLock { state -> Settlement<OutboxChange?>? in
            if let change = state.take() { wait.settle(.success(change)) } else if state.isOver { wait.settle(.success(nil)) }
            if wait.isSettled { return nil }
            // There is one consumer: a second one replaces the first.
            defer { state.waiting = wait }
            return state.waiting
        }
        former?.settle(.success(nil))
        return (try? await wait.value()) ?? nil
    }
}

extension OutboxChangeQueue.State {
    fileprivate mutating func takeReader() -> Settlement<OutboxChange?>? {
        defer { waiting = nil }
        return waiting
    }

    fileprivate mutating func keep(_ change: OutboxChange, _ limits: OutboxChangeQueue.Limits) {
        if replaceProgress(with: change) { return }
        changes.append(change)
        if !change.kind.isFinal { passing += 1 }
        // Drops many at once, so that each costs little.
        if passing > limits.passing { passing -= drop(limits.passing / 8 + 1) { !$0.isFinal } }
        if changes.count - head - passing > limits.final { missed += drop(limits.final / 8 + 1) { $0.isFinal } }
    }

    /// Replaces the last change of an entry if both are its progress.
    private mutating func replaceProgress(with change: OutboxChange) -> Bool {
        guard case .progress = change.kind else { return false }
        // No more entries than that are sent at the same time.
        for place in changes.indices[max(head, changes.count - 64)...].reversed() where changes[place].id == change.id {
            guard case .progress = changes[place].kind else { return false }
            changes[place] = change
            return true
        }
        return false
    }

    /// Drops the oldest changes of a kind; returns their number.
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
