import TarmacTesting
import Testing

@testable import Tarmac

private final class Probe: DeadlineEntry, @unchecked Sendable {
    // SAFETY: both fields are constant and Sendable.
    private let fired: Locked<[Int]>
    private let number: Int

    init(_ number: Int, fired: Locked<[Int]>) {
        self.number = number
        self.fired = fired
    }

    override func expire(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        fired.withLock { $0.append(number) }
        return nil
    }
}

@Suite("Deadline heap")
struct DeadlineHeapTests {
    private let time = ManualTime()
    private let fired = Locked<[Int]>([])

    @Test func entriesExpireInTheOrderOfTheirDeadlines() async throws {
        let heap = DeadlineHeap(time: time)
        var random = SeededGenerator(seed: 7)
        let order = Array(1...100).shuffled(using: &random)
        let probes = order.map { ($0, Probe($0, fired: fired)) }
        for (number, probe) in probes { heap.add(probe, at: time.now + .seconds(number)) }
        try await time.hasSleepers(count: 1)
        time.advance(by: .seconds(1_000))
        // The last probe's own entry tells that the wake-up is over.
        while fired.withLock({ $0.count }) < 100 { await Task.yield() }
        #expect(fired.withLock { $0 } == Array(1...100))
        heap.stop()
    }

    @Test func aRemovedEntryLeavesNothingBehind() {
        let heap = DeadlineHeap(time: time)
        var random = SeededGenerator(seed: 11)
        let probes = (0..<1_000).map { Probe($0, fired: fired) }
        for probe in probes { heap.add(probe, at: time.now + .seconds(Int.random(in: 1...50, using: &random))) }
        for probe in probes.shuffled(using: &random) { heap.remove(probe) }
        #expect(heap.count == 0)
        heap.stop()
    }
}
