import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

// YTK-23: what waits in a slot is cancelled as well, before it takes off.
@MainActor
@Suite("Cancelling calls that wait in a slot", .timeLimit(.minutes(5)))
struct CancelParkedTests {
    private let stub = StubTransport { _ in .json(#"{"n":1}"#) }
    private let time = ManualTime()
    private let client: Client
    private let landings = Watched<[String]>([])
    private static let service = Service("s", host: "https://s.example")

    init() { client = Client(transport: .stub(stub), services: [Self.service], time: time) { $0.timeout = .unlimited } }

    private func start(_ path: String, in slot: CallSlot, owner: Owner, tags: Set<CallTag> = []) {
        let landings = landings
        slot.start(.get(path, as: Number.self), on: client, owner: owner, configure: { $0.tags = tags }) { _, result in
            landings.update { $0.append("\(path) \(Owner.text(result))") }
        }
    }

    @Test(arguments: ["all", "tag", "service", "owner"])
    func aQueueDoesNotMoveUpWhenAllAreCancelled(by selection: String) async throws {
        stub.hold()
        let (slot, owner) = (CallSlot(.queue), Owner(Watched([])))
        for path in ["/1", "/2", "/3"] { start(path, in: slot, owner: owner, tags: ["feed"]) }
        try await stub.received(count: 1)
        switch selection {
        case "tag": client.cancelAll(tagged: "feed")
        case "service": client.cancelAll(to: Self.service)
        case "owner": client.cancelAll(ownedBy: owner)
        default: client.cancelAll()
        }
        try await landings.wait { $0.count == 3 }
        stub.release()
        await client.shutdown()
        #expect(landings.value.sorted() == ["/1 cancelled", "/2 cancelled", "/3 cancelled"])
        #expect(stub.requests.map(\.url.path) == ["/1"])
    }

    @Test func onlyTheSelectedLeaveTheQueue() async throws {
        stub.hold()
        let (slot, owner) = (CallSlot(.queue), Owner(Watched([])))
        start("/1", in: slot, owner: owner)
        start("/2", in: slot, owner: owner, tags: ["feed"])
        start("/3", in: slot, owner: owner, tags: ["other"])
        try await stub.received(count: 1)
        client.cancelAll(tagged: "feed")
        client.cancelAll(ownedBy: Owner(Watched([])))
        try await landings.wait { $0.count == 1 }
        stub.release()
        try await landings.wait { $0.count == 3 }
        #expect(landings.value == ["/2 cancelled", "/1 value", "/3 value"])
    }

    @Test func aSearchThatSettlesDoesNotTakeOff() async throws {
        let (slot, owner) = (CallSlot(.debounce(.milliseconds(300))), Owner(Watched([])))
        start("/a", in: slot, owner: owner)
        await eventually { time.nextDeadline == .milliseconds(300) }
        client.cancelAll()
        try await landings.wait { $0.count == 1 }
        time.advance(by: .seconds(1))
        await client.shutdown()
        #expect(landings.value == ["/a cancelled"])
        #expect(stub.requests.isEmpty)
    }

    @Test func nothingOfACallThatWaitedIsKept() async throws {
        stub.hold()
        let (slot, owner) = (CallSlot(.queue), Owner(Watched([])))
        for path in ["/1", "/2"] { start(path, in: slot, owner: owner) }
        func parked() -> Int { client.engine.wholes.count { if case .parked = $0 { true } else { false } } }
        #expect(parked() == 1)
        stub.release()
        try await landings.wait { $0.count == 2 }
        #expect(parked() == 0)
    }
}
