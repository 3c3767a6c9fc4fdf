import Dispatch
import TarmacResolver
import TarmacTesting
import Testing

/// Slots for questions, and threads for those that block.
@Suite(.timeLimit(.minutes(5)))
struct QuestionSlotsTests {
    private let running = Watched<[Int]>([]), gate = Watched(0)

    /// A question that ends when the gate has its number.
    private func question(_ number: Int, in slots: QuestionSlots) async throws -> Int {
        try await slots.run { [running, gate] in
            running.update { $0.append(number) }
            try await gate.wait { $0 >= number }
            return number
        }
    }

    @Test func questionsWaitInTheirOrderAndTheirNumberIsBounded() async throws {
        let slots = QuestionSlots(1, waiting: 1)
        async let first = question(1, in: slots)
        try await running.wait { $0 == [1] }
        // One of the two waits, and the other is refused.
        let ended = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 { group.addTask { (try? await question(2, in: slots)) == 2 } }
            let refused = await group.next()
            gate.update { $0 = 2 }
            return [refused, await group.next()]
        }
        #expect(ended == [false, true])
        #expect(try await first == 1 && running.value == [1, 2])
    }

    @Test func waitThatIsCancelledLeavesItsPlace() async throws {
        let slots = QuestionSlots(1, waiting: 1)
        async let first = question(1, in: slots)
        try await running.wait { $0 == [1] }
        for _ in 0..<10 {
            let waiting = Task { try await question(2, in: slots) }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        gate.update { $0 = 3 }
        #expect(try await first == 1)
        #expect(try await question(3, in: slots) == 3 && running.value == [1, 3])
    }

    /// A resolver of the system that hangs holds threads of its own, and none of those that tasks need.
    @Test func workThatBlocksDoesNotStopTasks() async throws {
        let started = Watched(0), signal = DispatchSemaphore(value: 0), count = 16
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await SystemLookup.onThread {
                        started.update { $0 += 1 }
                        return signal.wait(timeout: .now() + 5) == .success
                    }
                }
            }
            try await started.wait { $0 == count }
            for _ in 0..<count { signal.signal() }
            for try await isSignalled in group { #expect(isSignalled) }
        }
    }
}
