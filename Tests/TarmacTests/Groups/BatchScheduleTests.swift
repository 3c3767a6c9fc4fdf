import Testing

import Tarmac
@testable import TarmacGroups

/// YTK-35: who takes off, and when the rest is called off.
@Suite("Batch line")
struct BatchScheduleTests {
    private func takeOffs(_ line: inout BatchSchedule) -> [Int] {
        var taken: [Int] = []
        while let next = line.takeOff() { taken.append(next) }
        return taken
    }

    private func land(_ line: inout BatchSchedule, failed: Bool) -> Bool { line.land(failed: failed) }

    @Test(arguments: [(nil, [0, 1, 2, 3, 4]), (1, [0]), (3, [0, 1, 2]), (9, [0, 1, 2, 3, 4])] as [(Int?, [Int])])
    func asManyTakeOffAsTheLimitAllows(limit: Int?, expected: [Int]) {
        var line = BatchSchedule(count: 5, limit: limit, stopsAtFailure: true)
        #expect(takeOffs(&line) == expected)
    }

    @Test func aLandingMakesRoomForOne() {
        var line = BatchSchedule(count: 5, limit: 2, stopsAtFailure: true)
        _ = takeOffs(&line)
        #expect(land(&line, failed: false) == false)
        #expect(takeOffs(&line) == [2])
        #expect(line.progress == GroupProgress(completed: 1, failed: 0, total: 5))
    }

    @Test func theFirstFailureCallsOffTheRestOnce() {
        var line = BatchSchedule(count: 5, limit: 2, stopsAtFailure: true)
        _ = takeOffs(&line)
        #expect(land(&line, failed: true))
        #expect(takeOffs(&line) == [])
        #expect(land(&line, failed: true) == false)
    }

    @Test func whereEachLandsForItselfAFailureCallsNobodyOff() {
        var line = BatchSchedule(count: 3, limit: 1, stopsAtFailure: false)
        _ = takeOffs(&line)
        #expect(land(&line, failed: true) == false)
        #expect(takeOffs(&line) == [1])
        #expect(line.progress == GroupProgress(completed: 1, failed: 1, total: 3))
    }

    @Test func progressIsAFraction() {
        #expect(GroupProgress(completed: 1, total: 4).fraction == 0.25)
        #expect(GroupProgress(total: 0).fraction == 1)
    }
}
