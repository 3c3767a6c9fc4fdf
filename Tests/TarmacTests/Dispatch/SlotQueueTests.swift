import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

@Suite("Dispatch line")
struct SlotQueueTests {
    @Test func noMoreFlyThanTheLimit() {
        var line = SlotQueue<Int>(limit: 2)
        let entered = [line.enter(), line.enter(), line.enter()]
        #expect(entered == [true, true, false])
        #expect(line.inFlight == 2)
    }

    @Test func whoComesFirstGoesFirst() {
        var line = SlotQueue<Int>(limit: 1)
        _ = line.enter()
        for ticket in 1...200 { line.wait(ticket, priority: .normal) }
        var order: [Int] = []
        while let next = line.leave() { order.append(next) }
        #expect(order == Array(1...200))
        #expect(line.inFlight == 0)
    }

    @Test func aHigherPriorityGoesFirst() {
        var line = SlotQueue<String>(limit: 1)
        _ = line.enter()
        line.wait("low", priority: .low)
        line.wait("normal", priority: .normal)
        line.wait("high", priority: .high)
        let order = [line.leave(), line.leave(), line.leave()]
        #expect(order == ["high", "normal", "low"])
    }

    @Test func theLowestIsNotStarved() {
        var line = SlotQueue<String>(limit: 1)
        _ = line.enter()
        line.wait("low", priority: .low)
        var granted: [String] = []
        for number in 0..<10 {
            line.wait("high \(number)", priority: .high)
            line.wait("high again \(number)", priority: .high)
            granted.append(line.leave() ?? "nobody")
        }
        #expect(granted.contains("low"))
    }

    @Test func nobodyOvertakesWhoWaits() {
        var line = SlotQueue<Int>(limit: 1)
        _ = line.enter()
        line.wait(1, priority: .normal)
        let first = line.leave()
        #expect(first == 1)
        line.wait(2, priority: .low)
        let hasOvertaken = line.enter()
        #expect(!hasOvertaken)
    }
}
