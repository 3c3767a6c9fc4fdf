import Dispatch
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// An owner that the test lets go through the only reference to it.
@MainActor
private final class Keeper {
    var owner: Mortal?
    var landings = 0
    let deaths = Watched(0)

    func letGo() { owner = nil }
}

private final class Mortal: LifetimeOwner, Sendable {
    let lifetime = Lifetime()
    let deaths: Watched<Int>
    init(_ deaths: Watched<Int>) { self.deaths = deaths }
    deinit { deaths.update { $0 += 1 } }
}

// BQ-10: the answer is there, and the owner goes in the same turn of the main actor.
@MainActor
@Suite("An owner that goes in the turn of its answer", .timeLimit(.minutes(5)))
struct SameTurnTests {
    /// The moments within the turn, and the landings that the owner sees.
    fileprivate enum Moment: CaseIterable {
        /// By the job that the main actor runs just before the delivery.
        case beforeDelivery
        /// After the delivery has taken the owner, by what waits for the landing.
        case asItLands
        /// By the owner's own closure.
        case inItsClosure
        /// By the job just after the delivery.
        case afterDelivery

        var landings: Int { self == .beforeDelivery ? 0 : 1 }
    }

    @Test(arguments: Moment.allCases)
    fileprivate func hearsOnceOrNothing(moment: Moment) async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        let (client, keeper) = (Client(stub), Keeper())
        keeper.owner = Mortal(keeper.deaths)
        let handle = try Self.start(client, keeper, moment)
        await eventually { handle.hasLanded }
        if moment == .afterDelivery { keeper.letGo() }
        for _ in 0..<50 { await Task.yield() }
        #expect(keeper.landings == moment.landings)
        try await keeper.deaths.wait { $0 == 1 }
        #expect(keeper.owner == nil && client.engine.callsInFlight.isEmpty)
        await client.shutdown()
    }

    /// Starts the call and holds the turn of the main actor until the answer is there, so that its delivery comes after this.
    private static func start(_ client: Client, _ keeper: Keeper, _ moment: Moment) throws -> CallHandle {
        let answered = DispatchSemaphore(value: 0)
        let handle = client.start(
            ClientWork { client in
                let number = try await client.get("/", as: Number.self)
                answered.signal()
                return number
            }, owner: try #require(keeper.owner)
        ) { [weak keeper] _, _ in
            keeper?.landings += 1
            if moment == .inItsClosure { keeper?.letGo() }
        }
        if moment == .asItLands { handle.whenLanded { MainActor.assumeIsolated { keeper.letGo() } } }
        #expect(holdTurn(until: answered))
        if moment == .beforeDelivery { keeper.letGo() }
        return handle
    }

    /// A held call and a slot deliver by the same way.
    @Test(arguments: [true, false])
    func heldCallsAndSlotsDoTheSame(isSlot: Bool) async throws {
        for round in 0..<50 {
            let stub = StubTransport { _ in .json(#"{"n":1}"#) }
            let (client, keeper) = (Client(stub), Keeper())
            keeper.owner = Mortal(keeper.deaths)
            stub.hold()
            let slot = CallSlot(.queue)
            var call: Call<InlineEndpoint<Number>>?
            if isSlot {
                slot.start(.get("/", as: Number.self), on: client, owner: try #require(keeper.owner)) { [weak keeper] _, _ in keeper?.landings += 1 }
            } else {
                call = client.call(.get("/", as: Number.self), owner: try #require(keeper.owner)) { [weak keeper] _ in { _ in keeper?.landings += 1 } }
                call?.start()
            }
            try await stub.received()
            stub.release()
            for _ in 0..<round { await Task.yield() }
            keeper.letGo()
            try await keeper.deaths.wait { $0 == 1 }
            await client.shutdown()
            for _ in 0..<50 { await Task.yield() }
            #expect(keeper.landings <= 1 && call?.isFlying != true && !slot.isFlying)
        }
    }
}
