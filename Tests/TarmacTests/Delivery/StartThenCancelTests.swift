import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacGroups

/// A call is the client's from the moment it is started: what cancels on the same turn reaches it (YTK-23).
@MainActor
@Suite("Started and cancelled at once", .timeLimit(.minutes(5)))
struct StartThenCancelTests {
    enum Start: String, CaseIterable, Sendable {
        case call, anywhere, work, batch, chain, graph, held, heldBatch, slot

        /// Whether a tag of its own settings is known before it flies.
        var hasTag: Bool { self != .work }
    }

    enum Cancel: String, CaseIterable, Sendable { case all, owner, tag, service, lifetime }

    private func start(_ kind: Start, on client: Client, _ owner: Owner, _ slot: CallSlot) {
        let get = InlineEndpoint.get("/", as: Number.self)
        switch kind {
        case .call:
            client.start(get, owner: owner) {
                $0.tags = ["a"]
            } landed: {
                $0.land($1)
            }
        case .anywhere:
            client.startAnywhere(get, owner: owner) {
                $0.tags = ["a"]
            } landed: {
                $0.land($1)
            }
        case .work: client.start(ClientWork { try await $0.get("/", as: Number.self) }, owner: owner, landed: { $0.land($1) })
        case .batch: client.start(Batch(allOrNothing: [get]).with { $0.tags = ["a"] }, owner: owner) { $0.land($1.map { $0[0] }) }
        case .chain: client.start(RequestChain(get).with { $0.tags = ["a"] }, owner: owner) { $0.land($1) }
        case .graph:
            var graph = RequestGraph()
            let node = graph.add(get)
            client.start(graph.with { $0.tags = ["a"] }, owner: owner) { owner, flown in owner.land(flown.flatMap { $0.result(of: node) }) }
        case .held: client.call(get, owner: owner, configure: { $0.tags = ["a"] }, landed: Owner.landed).start()
        case .heldBatch:
            client.call(RequestChain(get).with { $0.tags = ["a"] }, owner: owner, landed: Owner.landed).start()
        case .slot: slot.start(get, on: client, owner: owner, configure: { $0.tags = ["a"] }) { $0.land($1) }
        }
    }

    private func cancel(_ kind: Cancel, on client: Client, _ owner: Owner) {
        switch kind {
        case .all: client.cancelAll()
        case .owner: client.cancelAll(ownedBy: owner)
        case .tag: client.cancelAll(tagged: "a")
        case .service: client.cancelAll(to: .clientDefault)
        case .lifetime: owner.lifetime.cancelAll()
        }
    }

    @Test(arguments: Start.allCases, Cancel.allCases)
    func whatCancelsOnTheSameTurnReachesIt(start: Start, by way: Cancel) async throws {
        // A whole belongs to no service, and work has no tags.
        let isSingle = [.call, .anywhere, .held, .slot].contains(start)
        if way == .service && !isSingle || way == .tag && !start.hasTag { return }
        for round in 0..<20 {
            let stub = StubTransport { _ in .json(#"{"n":1}"#) }
            // However fast another thread flies, nothing lands before it is cancelled.
            stub.hold()
            let client = Client(stub)
            let landings = Watched<[String]>([])
            let owner = Owner(landings)
            let slot = CallSlot(.replace)
            self.start(start, on: client, owner, slot)
            cancel(way, on: client, owner)
            try await landings.wait { !$0.isEmpty }
            #expect(landings.value == ["cancelled"], "round \(round)")
        }
    }

    @Test func whatIsMeantForOthersLeavesItAlone() async throws {
        let client = Client(StubTransport { _ in .json(#"{"n":1}"#) })
        let landings = Watched<[String]>([])
        let owner = Owner(landings)
        client.start(.get("/", as: Number.self), owner: owner) {
            $0.tags = ["a"]
        } landed: {
            $0.land($1)
        }
        client.cancelAll(tagged: "b")
        client.cancelAll(to: Service("other", host: "https://other.example"))
        client.cancelAll(ownedBy: self.landingsOwner)
        try await landings.wait { !$0.isEmpty }
        #expect(landings.value == ["value"])
        await eventually { client.engine.wholes.isEmpty }
    }

    private var landingsOwner: Owner { Owner(Watched([])) }
}
