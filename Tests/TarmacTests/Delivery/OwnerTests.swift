import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@MainActor
private final class Screen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    var landings: [Result<String, any Error>] = []
    var onLanding: () -> Void = {}

    func landed(_ result: Result<String, any Error>) {
        landings.append(result)
        onLanding()
    }
}

@MainActor
@Suite("Owner-bound calls")
struct OwnerTests {
    private let stub = StubTransport { _ in .text("hello") }
    private let client: Client

    init() { client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) }

    private func landing(of screen: Screen, _ start: () -> Void) async {
        await withCheckedContinuation { continuation in
            screen.onLanding = { continuation.resume() }
            start()
        }
        screen.onLanding = {}
    }

    @Test func aCallLandsOnceWithItsOwner() async throws {
        let screen = Screen()
        await landing(of: screen) {
            client.start(.get("/", as: String.self), owner: screen) { owner, result in owner.landed(result) }
        }
        #expect(try screen.landings.map { try $0.get() } == ["hello"])
    }

    @Test func aHandleLeavesItsOwnerWhenTheCallLands() async {
        let screen = Screen()
        await landing(of: screen) {
            client.start(.get("/", as: String.self), owner: screen) { owner, result in owner.landed(result) }
        }
        #expect(screen.lifetime.callsInFlight == 0)
    }

    @Test func anOwnerThatIsGoneCancelsTheCallAndHearsNothing() async throws {
        stub.hold()
        var screen: Screen? = Screen()
        let landings = Locked(0)
        let handle = client.start(.get("/", as: String.self), owner: screen!) { _, _ in landings.withLock { $0 += 1 } }
        try await stub.received(count: 1)
        screen = nil
        try await stub.isIdle()
        await eventually { handle.hasLanded }
        #expect(landings.withLock { $0 } == 0)
    }

    @Test func anExplicitCancelWithALivingOwnerLandsOnceAsCancellation() async throws {
        stub.hold()
        let screen = Screen()
        var handle: CallHandle?
        await landing(of: screen) {
            handle = client.start(.get("/", as: String.self), owner: screen) { owner, result in owner.landed(result) }
            handle?.cancel()
            handle?.cancel()
        }
        #expect(screen.landings.count == 1)
        #expect(throws: CancellationError.self) { try screen.landings[0].get() }
    }

    @Test func aCancelThatComesBeforeDeliveryWinsOverTheValue() async throws {
        // The value is there, but the main actor has not delivered it yet when the owner cancels.
        let screen = Screen()
        await landing(of: screen) {
            let handle = client.start(
                ClientWork {
                    try await $0.get("/", as: String.self)
                }, owner: screen
            ) { owner, result in
                owner.landed(result)
            }
            while stub.requests.isEmpty {}
            handle.cancel()
        }
        #expect(throws: CancellationError.self) { try screen.landings[0].get() }
    }

    @Test func anyWorkOfTheOwnersLandsWithItsOwnErrorAsTheCause() async {
        struct Mine: Error, Equatable {}
        let screen = Screen()
        await landing(of: screen) {
            client.start(
                ClientWork { _ -> String in
                    throw Mine()
                }, owner: screen
            ) { owner, result in
                owner.landed(result)
            }
        }
        let error = screen.landings.first.flatMap { if case .failure(let error) = $0 { error as? TarmacError } else { nil } }
        #expect(error?.code == .callerFailed)
        #expect(error?.cause(as: Mine.self) == Mine())
    }

    @Test func aHeldCallFliesOnceHoweverOftenItIsStarted() async throws {
        stub.hold()
        let screen = Screen()
        let call = client.call(.get("/", as: String.self), owner: screen, landed: Screen.landed)
        await landing(of: screen) {
            call.start()
            call.start()
            stub.release()
        }
        #expect(screen.landings.count == 1)
        #expect(stub.requests.count == 1)
        #expect(call.hasSucceeded)
        await landing(of: screen) { call.start() }
        #expect(stub.requests.count == 2)
    }

    @Test func droppingTheLastClientEndsItsCallsWithOneError() async throws {
        stub.hold()
        let screen = Screen()
        await landing(of: screen) {
            let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")])
            client.start(.get("/", as: String.self), owner: screen) { owner, result in owner.landed(result) }
        }
        let error = screen.landings.first.flatMap { if case .failure(let error) = $0 { error as? TarmacError } else { nil } }
        #expect(error?.code == .clientShutDown)
    }
}

@MainActor
@Suite("Call slots")
struct CallSlotTests {
    private typealias Ping = InlineEndpoint<String>
    private let stub = StubTransport { request in .text(request.url.path) }
    private let client: Client

    init() { client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) }

    private func fly(_ rule: CallSlot.Rule, landings expected: Int) async throws -> (accepted: [Bool], texts: [String]) {
        stub.hold()
        let screen = Screen()
        let slot = CallSlot(rule)
        let accepted = (1...3).map { number in
            slot.start(.get("/\(number)", as: String.self), on: client, owner: screen) { owner, result in owner.landed(result) }
        }
        await withCheckedContinuation { continuation in
            screen.onLanding = { if screen.landings.count == expected { continuation.resume() } }
            stub.release()
        }
        return (accepted, screen.landings.map { (try? $0.get()) ?? "cancelled" })
    }

    @Test func aDoubleTapIsIgnoredWhileTheFirstFlies() async throws {
        let flown = try await fly(.ignoreWhileFlying, landings: 1)
        #expect(flown.accepted == [true, false, false])
        #expect(flown.texts == ["/1"])
    }

    @Test func aNewCallReplacesTheOldOne() async throws {
        let flown = try await fly(.replace, landings: 3)
        #expect(flown.accepted == [true, true, true])
        #expect(flown.texts.sorted() == ["/3", "cancelled", "cancelled"])
    }

    @Test func aCallMadeWhileALandingIsDeliveredWaitsBehindThoseThatWait() async throws {
        stub.hold()
        let screen = Screen()
        let slot = CallSlot(.queue)
        func start(_ number: Int, landed: @escaping @MainActor () -> Void = {}) {
            slot.start(.get("/\(number)", as: String.self), on: client, owner: screen) { owner, result in
                landed()
                owner.landed(result)
            }
        }
        start(1) { start(4) }
        for number in [2, 3] { start(number) }
        await withCheckedContinuation { continuation in
            screen.onLanding = { if screen.landings.count == 4 { continuation.resume() } }
            stub.release()
        }
        #expect(screen.landings.map { (try? $0.get()) ?? "cancelled" } == ["/1", "/2", "/3", "/4"])
        #expect(stub.requests.map(\.url.path) == ["/1", "/2", "/3", "/4"])
    }

    @Test func aQueueFliesOneAtATimeAndTakesNoMoreThanItsLimit() async throws {
        stub.hold()
        let screen = Screen(), slot = CallSlot(.queue, limit: 2)
        let accepted = (1...4).map { number in
            slot.start(.get("/\(number)", as: String.self), on: client, owner: screen) { owner, result in owner.landed(result) }
        }
        #expect(accepted == [true, true, true, false])
        for count in 1...3 {
            try await stub.received(count: count)
            for _ in 0..<20 { await Task.yield() }
            #expect(stub.inFlight == 1 && stub.requests.count == count)
            stub.release(1)
        }
        try await stub.isIdle()
    }

    @Test func callsWaitForEachOtherInOrder() async throws {
        let flown = try await fly(.queue, landings: 3)
        #expect(flown.texts == ["/1", "/2", "/3"])
    }
}
