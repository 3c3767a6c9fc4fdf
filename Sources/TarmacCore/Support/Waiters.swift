@_spi(TarmacRooms) import TarmacHTTP

/// Tasks that wait until the state that keeps them reaches a condition.
package struct Waiters: Sendable {
    private var continuations: [CheckedContinuation<Void, Never>] = []

    package init() {}

    package mutating func add(_ waiter: CheckedContinuation<Void, Never>) { continuations.append(waiter) }

    /// Returns the tasks and keeps none.
    package mutating func takeAll() -> Waiters {
        defer { continuations = [] }
        return self
    }

    /// Lets the tasks continue. Call it without the lock of the state.
    package func resume() { for continuation in continuations { continuation.resume() } }
}

extension Locked {
    /// Returns when the waiters are resumed, or at once if the condition holds.
    package func wait(in waiters: WritableKeyPath<Value, Waiters>, unless isReached: (Value) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isNow = withLock { value in
                if isReached(value) { return true }
                value[keyPath: waiters].add(continuation)
                return false
            }
            if isNow { continuation.resume() }
        }
    }
}
