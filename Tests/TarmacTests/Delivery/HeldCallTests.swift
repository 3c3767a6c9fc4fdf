import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

@MainActor
private final class Board: LifetimeOwner, CallDelegate {
    nonisolated let lifetime = Lifetime()
    var landed: [Bool] = []
    var onLanding: () -> Void = {}

    func callDidLand(_ call: AnyCall) {
        landed.append(call.hasSucceeded)
        onLanding()
    }
}

@MainActor
@Suite("Held calls", .timeLimit(.minutes(5)))
struct HeldCallTests {
    private let client = Client(
        transport: .stub { _ in .text("hello") }, services: [Service("s", host: "https://s.example")])

    @Test func aFlyingCallNobodyHoldsStillTellsItsDelegate() async {
        let board = Board()
        await withCheckedContinuation { continuation in
            board.onLanding = { continuation.resume() }
            client.call(.get("/", as: String.self), delegate: board).start()
        }
        #expect(board.landed == [true])
    }

    @Test func aLandedCallIsHeldByNobody() async {
        let board = Board()
        weak var call: AnyCall?
        await withCheckedContinuation { continuation in
            board.onLanding = { continuation.resume() }
            let made = client.call(.get("/", as: String.self), delegate: board)
            call = made
            made.start()
        }
        await eventually { call == nil }
        #expect(board.lifetime.callsInFlight == 0)
    }

    // BQ-12: the caller decides how long a held call keeps its result.
    @Test func aHeldCallLetsItsResultGo() async throws {
        let landings = Watched<[String]>([])
        let client = Client(StubTransport { _ in .json(#"{"n":1}"#) })
        let owner = Owner(landings), call = client.call(.get("/", as: Number.self), owner: owner, landed: Owner.landed)
        call.start()
        try await landings.wait { $0 == ["value"] }
        call.result = nil
        #expect(call.landed == nil && !call.hasSucceeded && call.error == nil)
        call.start()
        try await landings.wait { $0 == ["value", "value"] }
        #expect(call.hasSucceeded && call.landed?.value.n == 1)
        await client.shutdown()
    }

    // MARK: Started again

    // LM-B2, BQ-B6: each flight lands for itself, and the one that was cancelled does not overwrite the other.
    @Test func aCancelledCallStartsAgainAtOnce() async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        stub.hold()
        let landings = Watched<[String]>([])
        let owner = Owner(landings)
        let client = Client(stub)
        let call = client.call(.get("/", as: Number.self), owner: owner, landed: Owner.landed)
        let first = call.start()
        try await stub.received(count: 1)
        call.cancel()
        #expect(!call.isFlying)
        let second = call.start()
        #expect(first !== second && second?.isCancelled == false && call.isFlying)
        #expect(call.start() === second)
        try await landings.wait { $0 == ["cancelled"] }
        #expect(call.result == nil && call.error == nil)
        stub.release()
        try await landings.wait { $0 == ["cancelled", "value"] }
        #expect(call.hasSucceeded && stub.requests.count == 2)
        await client.shutdown()
    }

    // LM-B2, BQ-B6: a cancelled flight that lands after the last start has landed leaves the result of that start alone.
    @Test func aFlightThatLandsLateLeavesTheResultOfTheLastStart() async throws {
        let (gate, starts, landings) = (Watched(false), Watched(0), Watched<[String]>([]))
        let owner = Owner(landings)
        // An interceptor that does not listen to cancellation holds the first flight.
        let client = Client(StubTransport { _ in .json(#"{"n":1}"#) }) {
            $0.interceptors = [
                Intercepting { request, chain in
                    let number = starts.update { count -> Int in
                        count += 1
                        return count
                    }
                    if number == 1 { await Task { _ = try? await gate.wait { $0 } }.value }
                    return try await chain.proceed(request)
                }
            ]
        }
        let call = client.call(.get("/", as: Number.self), owner: owner, landed: Owner.landed)
        call.start()
        try await starts.wait { $0 == 1 }
        call.cancel()
        call.start()
        try await landings.wait { $0 == ["value"] }
        gate.update { $0 = true }
        try await landings.wait { $0 == ["value", "cancelled"] }
        for _ in 0..<50 { await Task.yield() }
        #expect(call.hasSucceeded && call.error == nil && call.landed?.value.n == 1)
        await client.shutdown()
    }

    @Test func aDelegateIsToldWhatBecameOfEachFlight() async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        stub.hold()
        let owner = Owner(Watched([]))
        let client = Client(stub)
        let call = client.call(.get("/", as: Number.self), delegate: owner)
        call.start()
        try await stub.received(count: 1)
        call.cancel()
        call.start()
        try await owner.landings.wait { $0 == ["cancelled"] }
        stub.release()
        try await owner.landings.wait { $0 == ["cancelled", "value"] }
        await client.shutdown()
    }

    @Test(arguments: [CallSlot.Rule.ignoreWhileFlying, .queue, .replace])
    func aSlotIsFreeAsSoonAsItsCallIsCancelled(rule: CallSlot.Rule) async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        stub.hold()
        let (client, owner) = (Client(stub), Owner(Watched([])))
        let slot = CallSlot(rule)
        slot.start(.get("/1", as: Number.self), on: client, owner: owner) { $0.land($1) }
        try await stub.received(count: 1)
        slot.cancel()
        #expect(!slot.isFlying)
        #expect(slot.start(.get("/2", as: Number.self), on: client, owner: owner) { $0.land($1) })
        #expect(slot.isFlying)
        try await stub.received(count: 2)
        try await owner.landings.wait { $0 == ["cancelled"] }
        stub.release()
        try await owner.landings.wait { $0.count == 2 }
        #expect(owner.landings.value == ["cancelled", "value"])
    }
}
