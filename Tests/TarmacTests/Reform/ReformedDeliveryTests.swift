import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacGroups
@testable import TarmacReform

private struct Titles: Reformer {
    func reform(_ payload: Payload) throws -> [String] { try payload.json.elements.map { try $0.get("title") } }
}

private struct ListGoods: Endpoint {
    typealias Value = JSON
    static let route: Route = .get("/products")
}

@MainActor
private final class Screen: LifetimeOwner, CallDelegate {
    nonisolated let lifetime = Lifetime()
    var titles: [String] = []
    var pulled: [Result<Int, any Error>] = []
    var errors: [any Error] = []
    var landings = Watched(0)

    func titlesLanded(_ result: Result<[String], any Error>) {
        do { titles += try result.get() } catch { errors.append(error) }
        landings.update { $0 += 1 }
    }

    func allLanded(_ result: Result<[[String]], any Error>) { landings.update { $0 += 1 } }

    func callDidLand(_ call: AnyCall) {
        pulled.append(Result { try call.reformed(by: Titles()).count })
        pulled.append(Result { try call.reformed { try $0.json[0]["title"].string?.count ?? 0 } })
        landings.update { $0 += 1 }
    }
}

/// LM-4, LM-6 and XF's delegates: reformed calls for owners, held calls, slots and delegates.
@MainActor
@Suite("Reformed deliveries", .timeLimit(.minutes(5)))
struct ReformedDeliveryTests {
    private let stub: StubTransport
    private let client: Client

    init() {
        stub = StubTransport { request in
            request.url.path == "/bad" ? .status(HTTPResponse.Status(code: 502)) : .json(#"[{"title":"cup"},{"title":"pot"}]"#)
        }
        client = Client(stub)
    }

    @Test func startCallAndSlotDeliverWhatTheReformerMakes() async throws {
        let screen = Screen()
        let slot = CallSlot(.queue)
        client.start(ListGoods().reformed(by: Titles()), owner: screen) { $0.titlesLanded($1) }
        client.start(ListGoods().reformed { _ in ["made"] }, owner: screen) { $0.titlesLanded($1) }
        let call = client.call(ListGoods().reformed(by: Titles()), owner: screen, landed: Screen.titlesLanded)
        call.start()
        slot.start(ListGoods().reformed(by: Titles()), on: client, owner: screen) { $0.titlesLanded($1) }
        try await screen.landings.wait { $0 == 4 }
        #expect(screen.titles.sorted() == ["cup", "cup", "cup", "made", "pot", "pot", "pot"])
        #expect(try call.result?.get() == ["cup", "pot"])
    }

    @Test func anOwnerAnywhereIsServedToo() async throws {
        let landings = Watched<[String]>([])
        let owner = Owner(landings)
        client.startAnywhere(ListGoods().reformed(by: Titles()), owner: owner) { owner, result in
            landings.update { $0 += (try? result.get()) ?? ["failed"] }
        }
        #expect(try await landings.wait { !$0.isEmpty } == ["cup", "pot"])
    }

    @Test func aSlotCountsReformedCallsWithTheOthers() async throws {
        stub.hold()
        let screen = Screen()
        let slot = CallSlot(.ignoreWhileFlying)
        #expect(slot.start(ListGoods().reformed(by: Titles()), on: client, owner: screen) { $0.titlesLanded($1) })
        #expect(!slot.start(ListGoods(), on: client, owner: screen) { _, _ in })
        stub.release()
        try await screen.landings.wait { $0 == 1 }
    }

    @Test func aDelegatePullsWhatItNeedsAndAsOftenAsItLikes() async throws {
        let screen = Screen()
        let call = client.call(ListGoods(), delegate: screen)
        call.start()
        try await screen.landings.wait { $0 == 1 }
        #expect(try screen.pulled.map { try $0.get() } == [2, 3])
        #expect(call.landed?.status == .ok)
    }

    /// LM-B1: the delegate of a failed call pulls its error, and no data.
    @Test func aDelegateOfAFailedCallPullsItsError() async throws {
        let screen = Screen()
        client.call(.get("/bad", as: JSON.self), delegate: screen).start()
        try await screen.landings.wait { $0 == 1 }
        let error = #expect(throws: TarmacError.self) { try screen.pulled[0].get() }
        #expect(error?.code == .unacceptableStatus)
    }

    @Test func aGroupTakesReformedCallsAndHasNoAnswerOfItsOwn() async throws {
        let (titles, json) = try await client.send(Batch(ListGoods().reformed(by: Titles()), ListGoods()))
        #expect(titles == ["cup", "pot"] && json.count == 2)
        let screen = Screen(), landings = screen.landings
        let call = client.call(Batch(allOrNothing: [ListGoods().reformed(by: Titles())]), owner: screen, landed: Screen.allLanded)
        call.start()
        try await landings.wait { $0 == 1 }
        #expect(call.hasSucceeded && call.landed == nil)
        #expect(throws: TarmacError.self) { try call.reformed(by: Titles()) }
    }

    @Test func aCallThatHasNotLandedHasNothingToReform() async throws {
        stub.hold()
        let screen = Screen()
        let call = client.call(ListGoods(), delegate: screen)
        #expect(throws: TarmacError.self) { try call.reformed(by: Titles()) }
        call.start()
        let error = #expect(throws: TarmacError.self) { try call.reformed(by: Titles()) }
        #expect(error?.code == .reformingFailed)
        stub.release()
        try await screen.landings.wait { $0 == 1 }
        #expect(try call.reformed(by: Titles()).count == 2)
        stub.hold()
        call.start()
        #expect(throws: TarmacError.self) { try call.reformed(by: Titles()) }
        call.cancel()
    }
}
