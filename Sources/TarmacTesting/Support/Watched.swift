@_spi(TarmacRooms) import TarmacCore

/// A value under a lock whose changes can be awaited, so that a test waits for a state instead of for time.
package final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        let isSatisfied: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, any Error>
    }
    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var nextID = 0
    }
    private let state: Locked<State>

    package init(_ value: Value) { state = Locked(State(value: value)) }

    package var value: Value { state.withLock { $0.value } }

    /// Changes the value and resumes the tasks that wait for its new state.
    @discardableResult
    package func update<Result>(_ change: (inout Value) -> Result) -> Result {
        let (result, value, woken) = state.withLock { state in
            let result = change(&state.value)
            if state.waiters.isEmpty { return (result, state.value, [CheckedContinuation<Value, any Error>]()) }
            let ready = state.waiters.filter { $0.value.isSatisfied(state.value) }
            for id in ready.keys { state.waiters[id] = nil }
            return (result, state.value, ready.sorted { $0.key < $1.key }.map(\.value.continuation))
        }
        for continuation in woken { continuation.resume(returning: value) }
        return result
    }

    /// Returns the value as soon as it satisfies the condition; throws `CancellationError` when the task is cancelled.
    @discardableResult
    package func wait(until isSatisfied: @escaping @Sendable (Value) -> Bool) async throws -> Value {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Waiter(isSatisfied: isSatisfied, continuation: continuation), id: id)
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func add(_ waiter: Waiter, id: Int) {
        let outcome = state.withLock { state -> Result<Value, any Error>? in
            if waiter.isSatisfied(state.value) { return .success(state.value) }
            // The handler may have run before there was a wait to remove.
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiters[id] = waiter
            return nil
        }
        if let outcome { waiter.continuation.resume(with: outcome) }
    }
}
