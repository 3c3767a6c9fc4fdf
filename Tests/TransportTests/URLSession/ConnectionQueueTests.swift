import TarmacCore
import Testing

@testable import TarmacURLSession

/// An identity with a name.
private final class Call: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
    var id: ObjectIdentifier { ObjectIdentifier(self) }
}

@Suite("The queue of a host's connections")
struct ConnectionQueueTests {
    @Test func noMoreRunThanThereAreConnections() {
        let calls = (0..<5).map { Call("\($0)") }
        var queue = ConnectionQueue<Call>(limit: 2)
        #expect(calls.map { queue.enter($0.id, .normal, $0) } == [true, true, false, false, false])
        #expect(queue.finish(calls[1].id)?.name == "2")
        #expect(queue.finish(calls[1].id) == nil, "it ends once")
        #expect(queue.finish(calls[4].id) == nil, "one that waits has no connection to free")
        #expect(queue.finish(calls[0].id)?.name == "3")
        #expect([2, 3].map { queue.finish(calls[$0].id)?.name } == ["4", nil])
        #expect(queue.finish(calls[4].id) == nil)
        #expect(queue.isEmpty)
    }

    // YTK-14: a higher priority is sent first.
    @Test func theHighestPriorityIsNextAndThenTheOldest() {
        let first = Call("first")
        var queue = ConnectionQueue<Call>(limit: 1)
        _ = queue.enter(first.id, .low, first)
        let calls = [Call("low"), Call("normal 1"), Call("high 1"), Call("normal 2"), Call("high 2")]
        for (call, priority) in zip(calls, [.low, .normal, .high, .normal, .high] as [CallPriority]) { _ = queue.enter(call.id, priority, call) }
        var order: [String] = [], next = queue.finish(first.id)
        while let call = next {
            order.append(call.name)
            next = queue.finish(call.id)
        }
        #expect(order == ["high 1", "high 2", "normal 1", "normal 2", "low"])
    }

    @Test func oneThatIsWithdrawnHasNoTurn() {
        let calls = (0..<4).map { Call("\($0)") }
        var queue = ConnectionQueue<Call>(limit: 1)
        for call in calls { _ = queue.enter(call.id, .normal, call) }
        queue.withdraw(calls[1].id)
        queue.withdraw(calls[0].id)
        #expect(queue.finish(calls[0].id)?.name == "2", "one that has a connection keeps it")
        // The same identity again is behind the others: an address is used again.
        _ = queue.enter(calls[1].id, .normal, calls[1])
        #expect(queue.finish(calls[2].id)?.name == "3")
        #expect(queue.finish(calls[3].id)?.name == "1")
    }

    @Test func thousandsThatAreWithdrawnLeaveTheOrderOfTheRest() {
        let calls = (0..<5_000).map { Call("\($0)") }
        var queue = ConnectionQueue<Call>(limit: 1)
        for call in calls { _ = queue.enter(call.id, .normal, call) }
        let kept = [100, 2_500, 4_999]
        for (number, call) in calls.enumerated().reversed() where number > 0 && !kept.contains(number) { queue.withdraw(call.id) }
        #expect(queue.removeWaiting().map(\.name) == kept.map { "\($0)" })
        #expect(queue.finish(calls[0].id) == nil)
        #expect(queue.isEmpty)
    }
}
