import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

private struct Probe: DeadlineWatch {
    let number: Int
    let fired: Locked<[Int]>

    func expire(_ now: Moment) -> Moment? {
        fired.withLock { $0.append(number) }
        return nil
    }
}

/// A wait whose time limit moves on by an hour whenever it comes.
private struct HourlyProbe: DeadlineWatch {
    func expire(_ now: Moment) -> Moment? { now + .seconds(3_600) }
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
        await eventually { fired.withLock { $0.count } >= 100 }
        #expect(fired.withLock { $0 } == Array(1...100))
        heap.stop()
    }

    /// A cancelled sleep would keep its memory until its moment.
    @Test(.timeLimit(.minutes(1))) func aShorterLimitLeavesTheLongerSleepAlone() async throws {
        let heap = DeadlineHeap(time: time)
        _ = heap.add(Probe(number: 60, fired: fired), at: time.moment + .seconds(60))
        try await time.hasSleepers(count: 1)
        _ = heap.add(Probe(number: 5, fired: fired), at: time.moment + .seconds(5))
        try await time.hasSleepers(count: 2)
        time.advance(by: .seconds(5))
        await eventually { fired.withLock { $0 } == [5] && heap.sleeperCount <= 1 }
        #expect(time.sleepers == 1, "the first sleep goes on")
        time.advance(by: .seconds(55))
        await eventually { fired.withLock { $0 } == [5, 60] && heap.sleeperCount == 0 }
        #expect(time.sleepers == 0)
    }

    @Test(.timeLimit(.minutes(1))) func limitsThatAreStoppedInTimeLeaveOneSleeperEach() async throws {
        let heap = DeadlineHeap(time: time)
        _ = heap.add(Probe(number: 0, fired: fired), at: time.moment + .seconds(3_600))
        try await time.hasSleepers(count: 1)
        for round in 1...200 {
            for number in 0..<10 { heap.add(Probe(number: round, fired: fired), at: time.moment + .seconds(5 + number)).stop() }
            #expect(heap.sleeperCount == 2)
            try await time.hasSleepers(count: 2)
            time.advance(by: .seconds(5))
            await eventually { heap.sleeperCount <= 1 }
        }
        #expect(fired.withLock { $0 } == [] && time.sleepers == 1)
        heap.stop()
        await eventually { time.sleepers == 0 }
    }

    /// The task may wake before the function that made it has stored it.
    @Test(.timeLimit(.minutes(1))) func stopEndsASleeperThatWokeAtOnce() async throws {
        let heaps = (0..<2_000).map { _ in DeadlineHeap(time: time) }
        for heap in heaps { _ = heap.add(HourlyProbe(), at: time.moment) }
        try await time.hasSleepers(count: heaps.count)
        for heap in heaps { heap.stop() }
        await eventually { time.sleepers == 0 }
    }

    @Test func aRemovedEntryLeavesNothingBehind() {
        let heap = DeadlineHeap(time: time)
        var random = SeededGenerator(seed: 11)
        let timers = (0..<1_000).map { heap.add(Probe(number: $0, fired: fired), at: time.moment + .seconds(Int.random(in: 1...50, using: &random))) }
        for timer in timers.shuffled(using: &random) { timer.stop() }
        #expect(heap.count == 0)
        heap.stop()
    }

    /// Growth is counted: nodes that are moved.
    @Test(arguments: [100, 1_000, 50_000])
    func callsThatEndInTheirOrderMoveFewNodes(count: Int) {
        let heap = DeadlineHeap(time: time), start = time.moment
        let timers = (0..<count).map { DeadlineTimer(Probe(number: $0, fired: fired), in: heap) }
        var nodes = Heap()
        for (number, timer) in timers.enumerated() { nodes.insert(timer, at: start + .seconds(60) + .milliseconds(number)) }
        for timer in timers { nodes.remove(timer) }
        #expect(nodes.count == 0 && nodes.first == nil)
        #expect(nodes.moves <= 3 * count)
        heap.stop()
    }

    /// A heap follows the same rules as a sorted list, whatever is removed.
    @Test func emptyNodesHideNoEntry() {
        let heap = DeadlineHeap(time: time), start = time.moment
        var random = SeededGenerator(seed: 3), nodes = Heap(), list: [(instant: Moment, timer: DeadlineTimer<Probe>)] = []
        for round in 0..<5_000 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0...2:
                let timer = DeadlineTimer(Probe(number: round, fired: fired), in: heap)
                let instant = start + .seconds(Int.random(in: 1...300, using: &random))
                nodes.insert(timer, at: instant)
                list.append((instant, timer))
            case 3 where !list.isEmpty:
                nodes.remove(list.remove(at: Int.random(in: 0..<list.count, using: &random)).timer)
            default:
                let now = start + .seconds(round / 50)
                let due = nodes.popDue(now).compactMap { ($0 as? DeadlineTimer<Probe>)?.watch.number }
                #expect(due.sorted() == list.filter { $0.instant <= now }.map(\.timer.watch.number).sorted())
                list.removeAll { $0.instant <= now }
            }
            #expect(nodes.count == list.count)
            #expect(nodes.first == list.map(\.instant).min())
        }
        _ = nodes.removeAll()
        for (_, timer) in list { nodes.remove(timer) }
        #expect(nodes.count == 0)
        heap.stop()
    }
}
