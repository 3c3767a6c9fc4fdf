import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore

private struct Probe: DeadlineWatch {
    let number: Int
    let fired: Locked<[Int]>

    func expire(_ now: Moment) -> Moment? {
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
        for number in order { _ = heap.add(Probe(number: number, fired: fired), at: time.moment + .seconds(number)) }
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
        let timers = (0..<1_000).map { heap.add(Probe(number: $0, fired: fired), at: time.moment + .seconds(Int.random(in: 1...50, using: &random))) }
        for timer in timers.shuffled(using: &random) { timer.stop() }
        #expect(heap.count == 0)
        heap.stop()
    }
}
