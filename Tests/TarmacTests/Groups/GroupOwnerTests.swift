import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacGroups
@testable import TarmacPresentation

/// What an owner starts: five calls as a batch, a chain, or a graph.
enum GroupKind: String, CaseIterable, Sendable {
    case batch, outcomes, chain, graph

    /// How many requests are out when the server answers none.
    var inTheAir: Int { self == .chain ? 1 : self == .graph ? 4 : 5 }

    @MainActor
    func start(
        on client: Client, owner: GroupOwner, _ hooks: [CallHooks] = [], progress: (@MainActor (GroupOwner, GroupProgress) -> Void)? = nil,
        settings: (inout GroupSettings) -> Void = { _ in }
    ) -> CallHandle {
        let configure: (inout GroupSettings) -> Void = {
            $0.hooks = hooks
            settings(&$0)
        }
        return switch self {
        case .batch: client.start(batch.with(configure), owner: owner, progress: progress) { $0.land($1.map { "\($0.count)" }) }
        case .outcomes:
            client.start(outcomes.with(configure), owner: owner, progress: progress) { $0.land($1.map { $0.texts.joined(separator: " ") }) }
        case .chain: client.start(chain.with(configure), owner: owner, progress: progress) { $0.land($1.map { "\($0.n)" }) }
        case .graph: client.start(graph.with(configure), owner: owner, progress: progress) { $0.land($1.map { "\($0.failures.count) failures" }) }
        }
    }

    func startAnywhere(on client: Client, owner: GroupOwner) -> CallHandle {
        switch self {
        case .batch: client.startAnywhere(batch, owner: owner) { $0.land($1.map { "\($0.count)" }) }
        case .outcomes: client.startAnywhere(outcomes, owner: owner) { $0.land($1.map { $0.texts.joined(separator: " ") }) }
        case .chain: client.startAnywhere(chain, owner: owner) { $0.land($1.map { "\($0.n)" }) }
        case .graph: client.startAnywhere(graph, owner: owner) { $0.land($1.map { "\($0.failures.count) failures" }) }
        }
    }

    @MainActor
    func call(on client: Client, owner: GroupOwner, _ hooks: [CallHooks] = []) -> AnyCall {
        switch self {
        case .batch: client.call(batch.with { $0.hooks = hooks }, owner: owner, landed: GroupOwner.batchLanded)
        case .outcomes: client.call(outcomes.with { $0.hooks = hooks }, owner: owner, landed: GroupOwner.outcomesLanded)
        case .chain: client.call(chain.with { $0.hooks = hooks }, owner: owner, landed: GroupOwner.chainLanded)
        case .graph: client.call(graph.with { $0.hooks = hooks }, owner: owner, landed: GroupOwner.graphLanded)
        }
    }

    var landing: String {
        switch self {
        case .batch: "5"
        case .outcomes: "0 1 2 3 4"
        case .chain: "4"
        case .graph: "0 failures"
        }
    }

    private var batch: Batch<[Number]> { Batch(allOrNothing: (0..<5).map { Item(id: $0) }) }
    private var outcomes: Batch<[Result<Number, any Error>]> { Batch((0..<5).map { Item(id: $0) }) }
    private var chain: RequestChain<Number> {
        RequestChain(Item(id: 0)).then { Item(id: $0.n + 1) }.then { Item(id: $0.n + 1) }.then { Item(id: $0.n + 1) }.then { Item(id: $0.n + 1) }
    }
    private var graph: RequestGraph {
        var graph = RequestGraph()
        let roots = (0..<4).map { graph.add(Item(id: $0)) }
        graph.add(after: roots[0], roots[1]) { Item(id: $0.n + $1.n) }
        return graph
    }
}

final class GroupOwner: LifetimeOwner, Sendable {
    let lifetime = Lifetime()
    let landings: Watched<[String]>

    init(_ landings: Watched<[String]>) { self.landings = landings }

    func land(_ result: Result<String, any Error>) {
        let text =
            switch result {
            case .success(let text): text
            case .failure(let error as TarmacError): error.code.name
            case .failure(is CancellationError): "cancelled"
            case .failure(let error): "foreign \(type(of: error))"
            }
        landings.update { $0.append(text) }
    }

    @MainActor func batchLanded(_ result: Result<[Number], any Error>) { land(result.map { "\($0.count)" }) }
    @MainActor func outcomesLanded(_ result: Result<[Result<Number, any Error>], any Error>) { land(result.map { $0.texts.joined(separator: " ") }) }
    @MainActor func chainLanded(_ result: Result<Number, any Error>) { land(result.map { "\($0.n)" }) }
    @MainActor func graphLanded(_ result: Result<GraphResults, any Error>) { land(result.map { "\($0.failures.count) failures" }) }
}

/// Law 1 for groups; YTK-37 and the weaknesses YTK-B7 (a chain without a delegate is never let go) and YTK-B8 (started twice).
@MainActor
@Suite("Groups and their owners", .timeLimit(.minutes(5)))
struct GroupOwnerTests {
    private let landings = Watched<[String]>([])

    @Test(arguments: GroupKind.allCases, [false, true])
    func aGroupLandsOnceWithItsOwner(kind: GroupKind, anywhere: Bool) async throws {
        let client = Client(ItemServer().stub)
        let owner = GroupOwner(landings)
        let handle = anywhere ? kind.startAnywhere(on: client, owner: owner) : kind.start(on: client, owner: owner)
        try await landings.wait { !$0.isEmpty }
        handle.cancel()
        await client.shutdown()
        #expect(landings.value == [kind.landing])
        #expect(owner.lifetime.callsInFlight == 0)
    }

    @Test(arguments: GroupKind.allCases, [false, true])
    func anOwnerThatIsGoneCancelsEveryMemberAndHearsNothing(kind: GroupKind, anywhere: Bool) async throws {
        let stub = ItemServer().stub
        stub.hold()
        let client = Client(stub)
        var owner: GroupOwner? = GroupOwner(landings)
        let lifetime = Weak(owner!.lifetime)
        let handle = anywhere ? kind.startAnywhere(on: client, owner: owner!) : kind.start(on: client, owner: owner!)
        try await stub.received(count: kind.inTheAir)
        owner = nil
        #expect(lifetime.object == nil)
        try await stub.isIdle()
        await eventually { handle.hasLanded }
        stub.release()
        await client.shutdown()
        #expect(landings.value == [])
        #expect(stub.requests.count == kind.inTheAir)
    }

    @Test(arguments: GroupKind.allCases)
    func anOwnerThatDiesHalfWayLeavesNothingBehind(kind: GroupKind) async throws {
        let stub = ItemServer().stub
        stub.hold()
        let client = Client(stub)
        var owner: GroupOwner? = GroupOwner(landings)
        let handle = kind.start(on: client, owner: owner!)
        try await stub.received(count: kind.inTheAir)
        stub.release(2)
        try await stub.received(count: kind == .chain ? 3 : kind.inTheAir)
        owner = nil
        await eventually { handle.hasLanded }
        try await stub.isIdle()
        stub.release()
        await client.shutdown()
        #expect(landings.value == [])
    }

    @Test(arguments: GroupKind.allCases)
    func anExplicitCancelLandsOnceAsCancellation(kind: GroupKind) async throws {
        let stub = ItemServer().stub
        stub.hold()
        let client = Client(stub)
        let owner = GroupOwner(landings)
        let handle = kind.start(on: client, owner: owner)
        try await stub.received(count: kind.inTheAir)
        handle.cancel()
        handle.cancel()
        try await landings.wait { !$0.isEmpty }
        try await stub.isIdle()
        stub.release()
        await client.shutdown()
        #expect(landings.value == ["cancelled"])
    }

    // XF-B2: a held group that is started again after its landing lands again, once.
    @Test(arguments: GroupKind.allCases)
    func aHeldGroupFliesOnceHoweverOftenItIsStarted(kind: GroupKind) async throws {
        let stub = ItemServer().stub
        stub.hold()
        let client = Client(stub)
        let owner = GroupOwner(landings)
        let call = kind.call(on: client, owner: owner)
        call.start()
        call.start()
        stub.release()
        try await landings.wait { !$0.isEmpty }
        #expect(landings.value == [kind.landing])
        #expect(stub.requests.count == 5)
        #expect(call.hasSucceeded)
        call.start()
        try await landings.wait { $0.count == 2 }
        for _ in 0..<50 { await Task.yield() }
        #expect(landings.value == [kind.landing, kind.landing])
        #expect(stub.requests.count == 10)
    }

    @Test(arguments: GroupKind.allCases)
    func aGroupNobodyHoldsKeepsNoClientAlive(kind: GroupKind) async throws {
        let stub = ItemServer().stub
        stub.hold()
        let owner = GroupOwner(landings)
        var client: Client? = Client(stub)
        _ = kind.start(on: client!, owner: owner)
        try await stub.received(count: kind.inTheAir)
        client = nil
        try await landings.wait { !$0.isEmpty }
        // Each of the calls fails; where each lands for itself, so does the group, with the failures.
        let expected = ["batch": "clientShutDown", "outcomes": Array(repeating: "clientShutDown", count: 5).joined(separator: " ")]
        #expect(landings.value == [expected[kind.rawValue] ?? (kind == .chain ? "clientShutDown" : "4 failures")])
    }

    @Test(arguments: GroupKind.allCases)
    func progressReachesTheOwnerInOrderAndBeforeTheLanding(kind: GroupKind) async throws {
        let client = Client(ItemServer().stub)
        let owner = GroupOwner(landings)
        let board = ProgressBoard()
        _ = kind.start(on: client, owner: owner) { owner, progress in
            #expect(owner.landings.value.isEmpty)
            board.note(progress)
        }
        try await landings.wait { !$0.isEmpty }
        #expect(board.onlyGrows)
        #expect(board.reports.value.last == GroupProgress(completed: 5, total: 5))
    }

    @Test func progressThatTheLandingOvertakesIsToldBeforeItAndNoneAfterIt() async throws {
        let owner = GroupOwner(landings)
        let told = Watched<[Int]>([])
        let progress = try #require(OwnedProgress(owner) { (_, progress: GroupProgress) in told.update { $0.append(progress.completed) } })
        progress.report(GroupProgress(completed: 1, total: 2))
        progress.report(GroupProgress(completed: 2, total: 2))
        progress.stop()
        #expect(told.value == [2])
        progress.report(GroupProgress(completed: 3, total: 3))
        for _ in 0..<20 { await Task.yield() }
        #expect(told.value == [2])
    }

    @Test(.heavy) func ownersThatDieAtRandomMomentsLeaveNoLandingAndNoObject() async throws {
        let stub = ItemServer().stub
        let client = Client(stub)
        var random = SeededGenerator(seed: 3)
        var handles: [CallHandle] = []
        for round in 0..<400 {
            var owner: GroupOwner? = GroupOwner(Watched([]))
            let landings = owner!.landings
            let lifetime = Weak(owner!.lifetime)
            let handle = GroupKind.allCases[round % 4].start(on: client, owner: owner!)
            for _ in 0..<Int.random(in: 0..<30, using: &random) { await Task.yield() }
            let before = landings.value.count
            owner = nil
            #expect(lifetime.object == nil, "round \(round)")
            handles.append(handle)
            await eventually { handle.hasLanded }
            #expect(landings.value.count == before, "round \(round)")
        }
        try await stub.isIdle()
        await client.shutdown()
        #expect(handles.allSatisfy { $0.hasLanded })
    }

    /// YTK-21: as for a single call, the end of the whole is told of after its owner was.
    @Test(arguments: GroupKind.allCases, [false, true])
    func didStopComesWhenTheOwnerWasTold(kind: GroupKind, isHeld: Bool) async throws {
        let (client, owner) = (Client(ItemServer().stub), GroupOwner(landings))
        let order = landings
        let hooks = [
            CallHooks(willStop: { _, _ in order.update { $0.append("willStop") } }, didStop: { _, _ in order.update { $0.append("didStop") } })
        ]
        if isHeld { kind.call(on: client, owner: owner, hooks).start() } else { _ = kind.start(on: client, owner: owner, hooks) }
        try await landings.wait { $0.count == 3 }
        #expect(landings.value == ["willStop", kind.landing, "didStop"])
    }

    @Test func didStopOfAGroupThatIsAwaitedInOwnedWorkComesBeforeItReturns() async throws {
        let (client, owner, order) = (Client(ItemServer().stub), GroupOwner(landings), landings)
        let batch = Batch(allOrNothing: [Item(id: 1)]).with { $0.hooks = [CallHooks(didStop: { _, _ in order.update { $0.append("didStop") } })] }
        client.start(
            ClientWork { client in
                _ = try await client.send(batch)
                order.update { $0.append("returned") }
                return "landed"
            }, owner: owner
        ) {
            $0.land($1)
        }
        try await landings.wait { $0.count == 3 }
        #expect(landings.value == ["didStop", "returned", "landed"])
    }
}
