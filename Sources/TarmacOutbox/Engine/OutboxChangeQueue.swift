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
        /// The reader that waits for a change: `true` when it shall look again, `false` when another one takes its place.
        var reader: Settlement<Bool>?
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
        let reader = state.withLock { state -> Settlement<Bool>? in
            if state.isOver { return nil }
            state.keep(change, limits)
            return state.takeReader()
        }
        reader?.settle(.success(true))
    }

    /// Ends the queue after the kept changes have been read.
    func end() {
        let reader = state.withLock { state in
            state.isOver = true
            return state.takeReader()
        }
        reader?.settle(.success(true))
    }

    /// Returns the next change; `nil` at the end, or when the task is cancelled.
    func next() async -> OutboxChange? {
        while true {
            let wait = Settlement<Bool>()
            let (change, isDone, former) = state.withLock { state -> (OutboxChange?, Bool, Settlement<Bool>?) in
                if let change = state.take() { return (change, true, nil) }
                if state.isOver || Task.isCancelled { return (nil, true, nil) }
                defer { state.reader = wait }
                return (nil, false, state.reader)
            }
            // There is one consumer: a second one replaces the first.
            former?.settle(.success(false))
            if isDone { return change }
            guard (try? await wait.value()) == true else { return nil }
        }
    }
}

extension OutboxChangeQueue.State {
    fileprivate mutating func takeReader() -> Settlement<Bool>? {
        defer { reader = nil }
        return reader
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
