import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacGroups
@testable import TarmacPresentation

/// YTK-37; QSP-10, QSP-11: a batch, a chain and a graph are one to their user.
@MainActor
@Suite("Groups are presented as one", .timeLimit(.minutes(5)))
struct GroupPresentationTests {
    private let presenter = RecordingPresenter()

    private func land(_ kind: GroupKind, _ server: ItemServer) async throws -> [String] {
        let (client, owner) = (Client(server.stub, presenter), GroupOwner(Watched([])))
        _ = kind.start(on: client, owner: owner)
        try await owner.landings.wait { !$0.isEmpty }
        await client.shutdown()
        return owner.landings.value
    }

    @Test(arguments: GroupKind.allCases)
    func oneIndicationStandsForAllCallsWithoutAGap(kind: GroupKind) async throws {
        #expect(try await land(kind, ItemServer()) == [kind.landing])
        #expect(presenter.said.value == ["began nobody", "ended nobody"])
    }

    @Test(arguments: GroupKind.allCases)
    func severalFailuresArePromptedOnceAfterTheEnd(kind: GroupKind) async throws {
        _ = try await land(kind, ItemServer(failing: [1, 2, 3]))
        #expect(presenter.said.value == ["began nobody", "ended nobody", "data nobody: unacceptableStatus"])
    }

    // QSP-B5: a group that is cancelled, or whose owner is gone, prompts nothing.
    @Test(arguments: GroupKind.allCases)
    func aCancelledGroupIsNoFailure(kind: GroupKind) async throws {
        let stub = ItemServer(failing: [0]).stub
        stub.hold()
        let (client, owner) = (Client(stub, presenter), GroupOwner(Watched([])))
        let handle = kind.start(on: client, owner: owner)
        try await stub.received(count: kind.inTheAir)
        handle.cancel()
        #expect(try await owner.landings.wait { !$0.isEmpty } == ["cancelled"])
        #expect(presenter.said.value == ["began nobody", "ended nobody"])
    }

    // QSP-B5: a group that is cancelled, or whose owner is gone, prompts nothing.
    @Test(arguments: GroupKind.allCases)
    func anOwnerThatIsGoneLeavesNoIndication(kind: GroupKind) async throws {
        let stub = ItemServer(failing: [0]).stub
        stub.hold()
        let client = Client(stub, presenter)
        var owner: GroupOwner? = GroupOwner(Watched([]))
        let handle = kind.start(on: client, owner: owner!)
        try await presenter.up.wait { !$0.isEmpty }
        owner = nil
        try await presenter.up.wait { $0.isEmpty }
        await eventually { handle.hasLanded }
        #expect(presenter.prompts.isEmpty)
    }

    @Test func theScreenIsTheOneTheGroupNames() async throws {
        let screen = TestScreen("named")
        let host = PresentationHost.object(screen)
        _ = await failure {
            _ = try await Client(ItemServer(failing: [2]).stub, presenter).send(Batch(Item(id: 1), Item(id: 2)).with { $0.host = host })
        }
        #expect(presenter.said.value == ["began named", "ended named", "data named: unacceptableStatus"])
    }

    // MARK: A presenter of the whole

    @Test(arguments: GroupKind.allCases)
    func aPresenterOfTheWholeTakesThePlaceOfThoseOfItsCalls(kind: GroupKind) async throws {
        let own = RecordingPresenter(), screen = TestScreen("named")
        let host = PresentationHost.object(screen)
        let client = Client(ItemServer(failing: [1, 2, 3]).stub, presenter) { $0.presentationHost = .app }
        let owner = GroupOwner(Watched([]))
        let settings: (inout GroupSettings) -> Void = {
            $0.presenter = own
            $0.host = host
        }
        _ = kind.start(on: client, owner: owner, settings: settings)
        try await owner.landings.wait { !$0.isEmpty }
        #expect(own.said.value == ["began named", "ended named", "data named: unacceptableStatus"])
        #expect(presenter.said.value.isEmpty)
        await client.shutdown()
    }

    /// It is there before the first call and after the last, and for work that is no call.
    @Test func thePresenterOfTheWholeShowsItFromStartToEnd() async throws {
        let own = RecordingPresenter()
        let chain = RequestChain().then { _ in ClientWork { _ in try await own.up.wait { !$0.isEmpty } } }
        _ = try await Client(ItemServer().stub, presenter).send(chain.with { $0.presenter = own })
        #expect(own.said.value == ["began nobody", "ended nobody"])
        #expect(presenter.said.value.isEmpty)
    }

    @Test func callsThatWantNothingPresentedStaySilentInAWholeWithAPresenter() async throws {
        let own = RecordingPresenter()
        let client = Client(ItemServer(failing: [1]).stub, presenter) { $0.presentsErrors = false }
        _ = await failure { _ = try await client.send(Batch(Item(id: 1), Item(id: 2)).with { $0.presenter = own }) }
        #expect(own.said.value == ["began nobody", "ended nobody"])
    }

    @Test func offSilencesAWhole() async throws {
        let client = Client(ItemServer(failing: [1]).stub, presenter)
        _ = await failure { _ = try await client.send(Batch(Item(id: 1), Item(id: 2)).with { $0.presenter = .off }) }
        #expect(presenter.said.value.isEmpty)
    }

    @Test func ofAWholeWithinAWholeTheOuterPresenterCounts() async throws {
        let outer = RecordingPresenter(), inner = RecordingPresenter()
        let work: @Sendable (Client) async throws -> Void = { client in
            _ = try await client.send(Batch(Item(id: 1), Item(id: 2)).with { $0.presenter = inner })
        }
        var graph = RequestGraph()
        graph.add(ClientWork(work))
        let client = Client(ItemServer(failing: [2]).stub, presenter)
        _ = try await client.send(graph.with { $0.presenter = outer })
        #expect(outer.said.value == ["began nobody", "ended nobody", "data nobody: unacceptableStatus"])
        #expect(inner.said.value.isEmpty && presenter.said.value.isEmpty)
        var plain = RequestGraph()
        plain.add(ClientWork(work))
        _ = try await client.send(plain)
        #expect(inner.said.value.first == "began nobody" && presenter.said.value.isEmpty)
    }

    // MARK: Hooks

    @Test func hooksOfTheWholeRunOnceAroundThoseOfItsCalls() async throws {
        let told = Watched<[String]>([])
        let hooks = CallHooks(
            willStart: { call in told.update { $0.append("will start \(call.kind) \(call.name)") } },
            willStop: { call, outcome in told.update { $0.append("will stop \(call.kind) \(outcome.error?.code.name ?? "landed")") } },
            didStop: { call, _ in told.update { $0.append("did stop \(call.kind)") } })
        let client = Client(ItemServer(failing: [2]).stub) { $0.hooks = [hooks] }
        let settings: (inout GroupSettings) -> Void = { $0.hooks = [hooks] }
        let chain = RequestChain(Item(id: 0)).then { Item(id: $0.n + 1) }.with(settings).then { Item(id: $0.n + 1) }
        #expect(await failure { _ = try await client.send(chain) }?.member?.index == 2)
        let call = ["will start call Item", "will stop call landed", "did stop call"]
        let failed = ["will start call Item", "will stop call unacceptableStatus", "did stop call"]
        #expect(told.value == ["will start chain chain of 3"] + call + call + failed + ["will stop chain unacceptableStatus", "did stop chain"])

        told.update { $0 = [] }
        var graph = RequestGraph()
        graph.add(Item(id: 2))
        _ = try await client.send(graph.with(settings).with { $0.name = "home" })
        #expect(told.value == ["will start graph home"] + failed + ["will stop graph landed", "did stop graph"])

        told.update { $0 = [] }
        _ = try await client.send(Batch([Item(id: 1)]).with(settings))
        #expect(told.value == ["will start batch batch of 1"] + call + ["will stop batch landed", "did stop batch"])
    }

    // MARK: Cancelled from outside

    @Test(arguments: ["all", "tag", "owner"], [false, true])
    func aWholeIsCancelledFromOutsideWithAllOfItsMembers(way: String, isGraph: Bool) async throws {
        let stub = ItemServer(silent: [1]).stub
        let client = Client(stub)
        let working = Watched(false), never = Watched(false), later = Watched(0)
        let work: @Sendable (Client) async throws -> Void = { _ in
            working.update { $0 = true }
            try await never.wait { $0 }
        }
        let (landings, tag) = (Watched<[String]>([]), CallTag("feed"))
        let owner = GroupOwner(landings)
        if isGraph {
            var graph = RequestGraph().with { $0.tags = [tag] }
            let one = graph.add(Item(id: 1)), own = graph.add(ClientWork(work))
            graph.add(after: one, own) { _, _ in ClientWork { _ in later.update { $0 += 1 } } }
            client.start(graph, owner: owner) { $0.land($1.map { _ in "value" }) }
            try await stub.received(count: 1)
        } else {
            let chain = RequestChain().with { $0.tags = [tag] }.then { _ in ClientWork { client in try await work(client) } }
            client.start(chain.then { _ in ClientWork { _ in later.update { $0 += 1 } } }, owner: owner) { $0.land($1.map { "value" }) }
        }
        try await working.wait { $0 }
        switch way {
        case "all": client.cancelAll()
        case "tag": client.cancelAll(tagged: tag)
        default: client.cancelAll(ownedBy: owner)
        }
        #expect(try await landings.wait { !$0.isEmpty } == ["cancelled"])
        #expect(later.value == 0)
        try await stub.isIdle()
    }

    @Test func anAwaitedBatchIsCancelledByItsTag() async throws {
        let stub = ItemServer().stub
        stub.hold()
        let client = Client(stub)
        let tag = CallTag("feed")
        let batch = Task { try await client.send(Batch(allOrNothing: (0..<5).map { Item(id: $0) }, limit: 2).with { $0.tags = [tag] }) }
        let other = Task { try await client.send(Item(id: 9)) }
        try await stub.received(count: 3)
        client.cancelAll(tagged: tag)
        await #expect(throws: CancellationError.self) { try await batch.value }
        stub.release()
        #expect(try await other.value == Number(n: 9))
        #expect(stub.requests.count == 3)
    }
}
