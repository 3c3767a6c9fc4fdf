@_spi(TarmacRooms) package import TarmacCore

/// The questions that a store has not answered yet, whether or not a call still waits for the answer.
///
/// A store that has not answered one of them for long is asked nothing more until it has, so that a store that hangs
/// collects no tasks.
package final class OpenQuestions: Sendable {
    private struct State {
        /// The times of the open questions, by their numbers.
        var since: [Int: Moment] = [:]
        /// No open question has a lower number.
        var first = 0
        var next = 0
    }
    private let state = Locked(State())
    private let limit: Duration

    /// - Parameter limit: the time after which an open question keeps others from being asked.
    package init(limit: Duration) { self.limit = limit }

    /// Whether no question is open.
    package var isEmpty: Bool { state.withLock { $0.since.isEmpty } }

    /// Begins a question. Returns its number, or `nil` if nothing may be asked because the oldest question is open for too
    /// long.
    package func begin(at now: Moment) -> Int? {
        state.withLock { state in
            while state.first < state.next, state.since[state.first] == nil { state.first += 1 }
            if let oldest = state.since[state.first], now - oldest >= limit { return nil }
            defer { state.next += 1 }
            state.since[state.next] = now
            return state.next
        }
    }

    /// Ends a question.
    package func end(_ number: Int) { state.withLock { _ = $0.since.removeValue(forKey: number) } }
}
