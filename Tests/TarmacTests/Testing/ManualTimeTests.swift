import Foundation
import Tarmac
import TarmacTesting
import Testing

struct ManualTimeTests {
    @Test func sleepersWakeInOrderOfTheirDeadlines() async throws {
        let time = ManualTime()
        let start = time.now
        let woken = Watched<[Int]>([])
        for seconds in [3, 1, 2] {
            Task {
                try await time.sleep(until: start + .seconds(seconds))
                woken.update { $0.append(seconds) }
            }
        }
        try await time.hasSleepers(count: 3)
        for step in 1...3 {
            time.advance(by: .seconds(1))
            try await woken.wait { $0.count == step }
        }
        #expect(woken.value == [1, 2, 3])
        #expect(time.sleepers == 0)
    }

    @Test func nobodyWakesEarly() async throws {
        let time = ManualTime()
        let start = time.now
        let task = Task { try await time.sleep(until: start + .seconds(2)) }
        try await time.hasSleepers()
        time.advance(by: .milliseconds(1999))
        #expect(time.sleepers == 1)
        #expect(time.nextDeadline == .milliseconds(1))
        time.advance(by: .milliseconds(1))
        try await task.value
    }

    @Test func aCancelledSleeperLeaves() async throws {
        let time = ManualTime()
        let start = time.now
        let task = Task { try await time.sleep(until: start + .seconds(2)) }
        try await time.hasSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(time.sleepers == 0)
    }

    @Test func aDeadlineInThePastIsNoSleep() async throws {
        let time = ManualTime()
        try await time.sleep(until: time.now)
        time.advance(by: .seconds(5))
        #expect(time.date.timeIntervalSinceReferenceDate == 5)
    }

    @Test func seededGeneratorsRepeatThemselves() {
        var first = SeededGenerator(seed: 7)
        var second = SeededGenerator(seed: 7)
        #expect((0..<10).map { _ in first.next() } == (0..<10).map { _ in second.next() })
    }
}
