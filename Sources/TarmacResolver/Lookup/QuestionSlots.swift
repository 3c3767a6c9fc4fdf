@_spi(TarmacRooms) import TarmacCore

/// Slots for questions that run at the same time. Others wait in the order in which they came.
package final class QuestionSlots: Sendable {
    private struct State {
        var running = 0
        var number = 0
        var waiting: [(number: Int, wait: Settlement<Void>)] = []
    }

    private let limit: Int, bound: Int
    private let state = Locked(State())

    /// - Parameters:
    ///   - limit: the number of slots.
    ///   - bound: the maximum number of questions that wait.
    package init(_ limit: Int, waiting bound: Int) { (self.limit, self.bound) = (limit, bound) }

    /// Returns the result of `work`, which holds a slot. The cancellation of the task ends the wait for it.
    ///
    /// - Throws: ``AnswerFault`` if too many wait, and the errors of `work`.
    package func run<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        try await enter()
        defer { leave() }
        return try await work()
    }

    private func enter() async throws {
        let place = try state.withLock { state -> (number: Int, wait: Settlement<Void>)? in
            guard state.running >= limit else {
                state.running += 1
                return nil
            }
            guard state.waiting.count < bound else { throw AnswerFault("too many questions wait for an answer") }
            state.number += 1
            let place = (state.number, Settlement<Void>())
            state.waiting.append(place)
            return place
        }
        guard let place else { return }
        do { try await place.wait.value() } catch {
            state.withLock { $0.waiting.removeAll { $0.number == place.number } }
            throw error
        }
    }

    /// Gives the slot to the first that still waits.
    private func leave() { while let next = next() { if next.settle(.success(())) { return } } }

    private func next() -> Settlement<Void>? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().wait }
            state.running -= 1
            return nil
        }
    }
}
