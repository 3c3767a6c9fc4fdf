import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

/// An outbox goes on when the client's monitor says that there is a network again.
@Suite("Outbox: the network", .timeLimit(.minutes(5)))
struct OutboxNetworkTests {
    /// A monitor that says what it is told to.
    private final class Told: ConnectivityMonitor {
        let listeners = Watched(0)
        private let stream: AsyncStream<Connectivity>
        private let words: AsyncStream<Connectivity>.Continuation

        init() {
            (stream, words) = AsyncStream.makeStream()
            words.onTermination = { [listeners] _ in listeners.update { $0 -= 1 } }
        }
        func states() -> AsyncStream<Connectivity> {
            listeners.update { $0 += 1 }
            return stream
        }
        func say(_ connectivity: Connectivity) { words.yield(connectivity) }
    }

    private func rig(_ monitor: Told, _ answers: [OutboxRig.Answer]) throws -> OutboxRig {
        try OutboxRig(answers, connectivity: monitor) {
            $0.base = .seconds(300)
            $0.lanesAtOnce = 1
        }
    }

    // YTK-38: an outbox listens to the monitor: what waits is sent as soon as it says that there is a network again.
    @Test(arguments: [Connectivity.disconnected, .unknown])
    func whatWaitsIsSentAtOnceWhenTheNetworkReturns(before: Connectivity) async throws {
        let monitor = Told(), rig = try rig(monitor, [.fails(.cannotFindHost), .fails(.cannotFindHost)])
        let changes = rig.outbox.changes
        rig.outbox.start()
        monitor.say(before)
        for lane in ["a", "b"] { try await rig.outbox.enqueue(CreateOrder(number: 1), lane: lane) { $0.idempotencyKey = .value(lane) } }
        for _ in 0..<2 { #expect(await changes.nextPostponed() != nil) }
        // Time stands still: nothing but the monitor can end the pauses.
        monitor.say(.connected)
        await rig.outbox.waitUntilIdle()
        #expect(rig.keys.sorted() == ["a", "a", "b", "b"])
    }

    @Test func aNetworkThatWasThereAllTheTimeEndsNoPause() async throws {
        let monitor = Told(), rig = try rig(monitor, [.fails(.cannotFindHost)])
        let changes = rig.outbox.changes
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        #expect(await changes.nextPostponed() != nil)
        monitor.say(.connected)
        monitor.say(.connected)
        // A second lane is served: the outbox has looked again meanwhile.
        let other = try await rig.outbox.enqueue(CreateOrder(number: 2), lane: "other")
        _ = try await rig.outbox.outcome(of: other)
        #expect(rig.numbers == [1, 2])
    }

    @Test func serversPauseLasts() async throws {
        let monitor = Told(), rig = try rig(monitor, [.status(503, [.retryAfter: "30"])])
        let changes = rig.outbox.changes
        rig.outbox.start()
        monitor.say(.disconnected)
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        #expect(await changes.nextPostponed() != nil)
        monitor.say(.connected)
        let other = try await rig.outbox.enqueue(CreateOrder(number: 2), lane: "other")
        _ = try await rig.outbox.outcome(of: other)
        #expect(rig.numbers == [1, 2])
    }

    // YTK-38: while it runs, and no longer.
    @Test func theMonitorIsListenedToWhileTheOutboxRuns() async throws {
        let monitor = Told(), rig = try rig(monitor, [])
        #expect(monitor.listeners.value == 0)
        rig.outbox.start()
        rig.outbox.start()
        try await monitor.listeners.wait { $0 == 1 }
        await rig.outbox.shutdown()
        try await monitor.listeners.wait { $0 == 0 }
    }
}
