import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

/// Search as one types: of the calls of one burst the last takes off.
@MainActor
@Suite("Call slots: debounce", .timeLimit(.minutes(5)))
struct DebounceTests {
    private let stub = StubTransport { _ in .json(#"{"n":1}"#) }
    private let time = ManualTime()
    private let client: Client
    private let slot = CallSlot(.debounce(.milliseconds(300)))
    private let landings = Watched<[String]>([])

    init() { client = Client(stub, time: time) { $0.timeout = .unlimited } }

    private func type(_ text: String, owner: Owner) {
        let landings = landings
        slot.start(.get("/\(text)", as: Number.self), on: client, owner: owner) { _, result in
            landings.update { $0.append("\(text) \(Owner.text(result))") }
        }
    }

    private func pauseBegins() async { await eventually { time.nextDeadline == .milliseconds(300) } }

    @Test func theLastOfABurstTakesOffAfterThePause() async throws {
        let owner = Owner(Watched([]))
        for text in ["s", "sw", "swi"] {
            type(text, owner: owner)
            await pauseBegins()
            time.advance(by: .milliseconds(299))
        }
        #expect(stub.requests.isEmpty && !slot.isFlying)
        time.advance(by: .milliseconds(1))
        try await landings.wait { $0.count == 3 }
        #expect(stub.requests.map(\.url.path) == ["/swi"])
        #expect(Set(landings.value) == ["s cancelled", "sw cancelled", "swi value"])
    }

    @Test func whatFliesGoesOnUntilTheNextTakesOff() async throws {
        stub.hold()
        let owner = Owner(Watched([]))
        type("a", owner: owner)
        await pauseBegins()
        time.advance(by: .milliseconds(300))
        try await stub.received(count: 1)
        type("b", owner: owner)
        await pauseBegins()
        #expect(slot.isFlying && stub.inFlight == 1 && landings.value.isEmpty)
        time.advance(by: .milliseconds(300))
        try await landings.wait { $0 == ["a cancelled"] }
        stub.release()
        try await landings.wait { $0.count == 2 }
        #expect(landings.value == ["a cancelled", "b value"])
    }

    /// The pause is over, and its hop to the main actor still to come.
    @Test func aCallThatComesAsThePauseEndsBeginsItAnew() async throws {
        let owner = Owner(Watched([]))
        type("a", owner: owner)
        await pauseBegins()
        time.advance(by: .milliseconds(300))
        type("b", owner: owner)
        await pauseBegins()
        for _ in 0..<20 { await Task.yield() }
        #expect(stub.requests.isEmpty && landings.value == ["a cancelled"])
        time.advance(by: .milliseconds(300))
        try await landings.wait { $0 == ["a cancelled", "b value"] }
        #expect(stub.requests.map(\.url.path) == ["/b"])
    }

    @Test func cancelEndsWhatFliesAndWhatSettles() async throws {
        stub.hold()
        let owner = Owner(Watched([]))
        type("a", owner: owner)
        await pauseBegins()
        time.advance(by: .milliseconds(300))
        try await stub.received(count: 1)
        type("b", owner: owner)
        await pauseBegins()
        slot.cancel()
        try await landings.wait { Set($0) == ["a cancelled", "b cancelled"] }
        try await stub.isIdle()
    }

    /// A landing launches what waits under `.queue`; a pause is not cut short by one.
    @Test func aLandingDoesNotEndThePause() async throws {
        stub.hold()
        let owner = Owner(Watched([]))
        type("a", owner: owner)
        await pauseBegins()
        time.advance(by: .milliseconds(300))
        try await stub.received(count: 1)
        type("b", owner: owner)
        await pauseBegins()
        stub.release()
        try await landings.wait { $0 == ["a value"] }
        for _ in 0..<20 { await Task.yield() }
        #expect(stub.requests.count == 1)
        time.advance(by: .milliseconds(300))
        try await landings.wait { $0 == ["a value", "b value"] }
    }

    @Test func cancelEndsThePauseAndLandsTheCallOnce() async throws {
        let owner = Owner(Watched([]))
        type("a", owner: owner)
        await pauseBegins()
        slot.cancel()
        try await landings.wait { $0 == ["a cancelled"] }
        await eventually { time.sleepers == 0 }
        time.advance(by: .seconds(1))
        for _ in 0..<20 { await Task.yield() }
        #expect(stub.requests.isEmpty && landings.value.count == 1)
    }

    /// Law 1: owner gone, silence.
    @Test func anOwnerThatIsGoneSendsNothingAndHearsNothing() async throws {
        var owner: Owner? = Owner(Watched([]))
        type("a", owner: owner!)
        await pauseBegins()
        let lifetime = Weak(owner!.lifetime)
        owner = nil
        #expect(lifetime.object == nil)
        time.advance(by: .milliseconds(300))
        for _ in 0..<20 { await Task.yield() }
        await client.shutdown()
        #expect(stub.requests.isEmpty && landings.value.isEmpty)
    }
}
