import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// A list that shows what lands last.
@MainActor
private final class List: LifetimeOwner, CallDelegate {
    nonisolated let lifetime = Lifetime()
    let told = Watched<[String]>([])

    func callDidLand(_ call: AnyCall) {
        let text = ((call as? Call<SlotPage>)?.landed?.value.n).map { "page \($0)" } ?? (call.error is CancellationError ? "cancelled" : "failed")
        told.update { $0.append(text) }
    }
}

/// Answers each page when the test says so.
private final class Pages: Sendable {
    let released = Watched<Set<String>>([])
    var stub: StubTransport {
        StubTransport { [self] request in
            let page = request.url.query?.filter(\.isNumber) ?? ""
            try await released.wait { $0.contains(page) }
            return .json(#"{"n":\#(page)}"#)
        }
    }
    func release(_ page: Int) { released.update { _ = $0.insert("\(page)") } }
}

struct SlotPage: Endpoint, Encodable {
    typealias Value = Number
    static let route: Route = .get("/list")
    var page: Int
}

@MainActor
@Suite("A slot for a delegate", .timeLimit(.minutes(5)))
struct DelegateSlotTests {
    /// A slow first page does not overwrite the second, whichever of the rules that replace a call is used.
    @Test(arguments: [CallSlot.Rule.replace, .debounce(.zero)])
    func aSlowPageDoesNotOverwriteTheNext(rule: CallSlot.Rule) async throws {
        let (pages, list) = (Pages(), List()), stub = pages.stub
        let client = Client(stub), slot = CallSlot(rule)
        slot.start(SlotPage(page: 1), on: client, delegate: list)
        try await stub.received(count: 1)
        slot.start(SlotPage(page: 2), on: client, delegate: list)
        pages.release(2)
        try await list.told.wait { $0.contains("page 2") }
        pages.release(1)
        await client.shutdown()
        for _ in 0..<50 { await Task.yield() }
        #expect(list.told.value.sorted() == ["cancelled", "page 2"] && !slot.isFlying)
    }

    @Test func theOtherRulesHoldToo() async throws {
        let (pages, list) = (Pages(), List()), stub = pages.stub
        let client = Client(stub), single = CallSlot(.ignoreWhileFlying), queue = CallSlot(.queue)
        #expect(single.start(SlotPage(page: 1), on: client, delegate: list))
        #expect(!single.start(SlotPage(page: 2), on: client, delegate: list))
        for page in 3...5 { #expect(queue.start(SlotPage(page: page), on: client, delegate: list)) }
        for page in 1...5 { pages.release(page) }
        try await list.told.wait { $0.count == 4 }
        #expect(list.told.value.filter { $0 != "page 1" } == ["page 3", "page 4", "page 5"])
        await client.shutdown()
    }

    /// A call that waits and is cancelled informs its delegate once, and sends nothing.
    @Test func aCallThatWaitsLandsAsCancelled() async throws {
        let (pages, list) = (Pages(), List()), stub = pages.stub
        let client = Client(stub), queue = CallSlot(.queue)
        for page in 1...3 { queue.start(SlotPage(page: page), on: client, delegate: list) }
        try await stub.received(count: 1)
        queue.cancel()
        try await list.told.wait { $0.count == 3 }
        #expect(list.told.value == ["cancelled", "cancelled", "cancelled"] && stub.requests.count == 1)
        await client.shutdown()
    }

    @Test func aDelegateThatIsGoneHearsNothing() async throws {
        let pages = Pages(), stub = pages.stub
        let client = Client(stub), queue = CallSlot(.queue)
        var list: List? = List()
        let heard = try #require(list).told
        for page in 1...2 { queue.start(SlotPage(page: page), on: client, delegate: try #require(list)) }
        try await stub.received(count: 1)
        list = nil
        for page in 1...2 { pages.release(page) }
        await eventually { !queue.isFlying }
        await client.shutdown()
        #expect(heard.value.isEmpty && stub.requests.count == 1)
    }
}
