import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// A class that knows nothing of lifetimes, with a place beside it, as Objective-C has one beside each object.
private final class Plain: Sendable {
    let place = Locked<(any AnyObject & Sendable)?>(nil)
    let writes = Locked(0)
}

private final class Own: LifetimeOwner, Sendable { let lifetime = Lifetime() }

/// The association, without Objective-C.
private struct Beside: LifetimePlace {
    let object: Plain
    var lifetime: Lifetime? {
        get { object.place.withLock { $0 as? Lifetime } }
        nonmutating set {
            object.place.withLock { $0 = newValue }
            object.writes.withLock { $0 += 1 }
        }
    }
}

/// On Apple platforms any class owns calls: its lifetime is kept beside it.
@MainActor
@Suite("Owners without a lifetime of their own", .timeLimit(.minutes(5)))
struct AnyOwnerTests {
    @Test func aLifetimeIsMadeOnceAndStays() {
        let object = Plain()
        let first = Lifetime.of(object, in: Beside(object: object))
        #expect(Lifetime.of(object, in: Beside(object: object)) === first && object.writes.withLock { $0 } == 1)
        #expect(Lifetime.of(Plain(), in: Beside(object: object)) === first)
    }

    @Test func aClassWithItsOwnLifetimeKeepsThat() {
        let (owner, object) = (Own(), Plain())
        #expect(Lifetime.of(owner, in: Beside(object: object)) === owner.lifetime && object.writes.withLock { $0 } == 0)
        #expect(Lifetime.of(owner) === owner.lifetime && Lifetime.ofHost(owner) === owner.lifetime)
    }

    @Test func itsCallsEndWithIt() async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        let client = Client(stub), landings = Locked(0)
        stub.hold()
        var object: Plain? = Plain()
        weak let left = object
        let handle = try OwnedFlight.start(
            owner: #require(object), lifetime: .of(#require(object), in: Beside(object: #require(object))),
            work: OwnedWork(InlineEndpoint.get("/", as: Number.self), Options(), on: client.engine, progress: nil)
        ) { _, _ in landings.withLock { $0 += 1 } }
        try await stub.received()
        object = nil
        #expect(left == nil)
        try await stub.isIdle()
        await eventually { handle.hasLanded }
        #expect(landings.withLock { $0 } == 0)
        await client.shutdown()
    }

    @Test func itHearsOfItsCallsWhileItLives() async throws {
        let client = Client(StubTransport { _ in .json(#"{"n":1}"#) }), object = Plain(), landings = Watched(0)
        _ = OwnedFlight.start(
            owner: object, lifetime: .of(object, in: Beside(object: object)),
            work: OwnedWork(InlineEndpoint.get("/", as: Number.self), Options(), on: client.engine, progress: nil)
        ) { owner, _ in
            if owner === object { landings.update { $0 += 1 } }
        }
        try await landings.wait { $0 == 1 }
        await eventually { Lifetime.of(object, in: Beside(object: object)).callsInFlight == 0 }
        await client.shutdown()
    }

    #if canImport(ObjectiveC)
    /// The association itself.
    @Test(arguments: [false, true]) func anyClassOwnsCalls(isSlot: Bool) async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }, client = Client(stub), slot = CallSlot(), landings = Watched(0)
        func start(_ owner: Plain) {
            let work = InlineEndpoint.get("/", as: Number.self)
            if isSlot {
                _ = slot.start(work, on: client, owner: owner) { _, _ in landings.update { $0 += 1 } }
            } else {
                _ = client.start(work, owner: owner) { _, _ in landings.update { $0 += 1 } }
            }
        }
        var object: Plain? = Plain()
        weak let left = object
        let lifetime = Lifetime.of(try #require(object))
        start(try #require(object))
        try await landings.wait { $0 == 1 }
        #expect(Lifetime.of(try #require(object)) === lifetime)
        stub.hold()
        start(try #require(object))
        try await stub.received(count: 2)
        object = nil
        #expect(left == nil)
        try await stub.isIdle()
        #expect(landings.value == 1)
        await client.shutdown()
    }
    #endif
}
