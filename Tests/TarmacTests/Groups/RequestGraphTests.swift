import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacGroups

@Suite("Graph", .timeLimit(.minutes(5)))
struct RequestGraphTests {
    private func client(_ server: ItemServer) -> (Client, StubTransport) {
        let stub = server.stub
        return (Client(stub), stub)
    }

    // MARK: Values

    @Test func aNodeIsMadeOfWhatItsNodesLandAs() async throws {
        let (client, stub) = client(ItemServer())
        var graph = RequestGraph(limit: 4)
        let one = graph.add(Item(id: 1))
        let text = graph.add(.get("/items/2", as: String.self))
        let both = graph.add(after: one, text) { one, text in Item(id: one.n + text.count) }
        let sum = graph.add(after: one, both, named: "sum") { one, both in ClientWork { _ in one.n + both.n } }
        let flown = try await client.send(graph)
        #expect(try flown[both] == Number(n: 8))
        #expect(try flown[sum] == 9)
        #expect(flown.failures.isEmpty)
        try flown.check()
        #expect(stub.requests.count == 3)
    }

    @Test func manyNodesOfOneKindFlowIntoOne() async throws {
        let (client, _) = client(ItemServer())
        var graph = RequestGraph()
        let items = (1...20).map { graph.add(Item(id: $0)) }
        let sum = graph.add(afterAll: items) { numbers in ClientWork { _ in numbers.map(\.n) } }
        let next = graph.add(afterAll: items) { Item(id: $0.count) }
        let flown = try await client.send(graph)
        #expect(try flown[sum] == Array(1...20))
        #expect(try flown[next] == Number(n: 20))
    }

    @Test func aNodeMayBeNeededTwiceAndLandAsNothing() async throws {
        let (client, _) = client(ItemServer())
        var graph = RequestGraph()
        let nothing = graph.add(InlineEndpoint<Void>.get("/items/1"))
        let none = graph.add(after: nothing, nothing) { _, _ in ClientWork { _ -> Int? in nil } }
        let flown = try await client.send(graph)
        #expect(try flown[none] == nil)
    }

    @Test func workUsesTheClientOfTheGraph() async throws {
        let (client, stub) = client(ItemServer())
        var graph = RequestGraph()
        let one = graph.add(Item(id: 1))
        let batch = graph.add(after: one) { one in ClientWork { client in try await client.send(Batch(Item(id: one.n + 1), Item(id: one.n + 2))) } }
        let flown = try await client.send(graph)
        #expect(try flown[batch].1 == Number(n: 3))
        #expect(stub.requests.count == 3)
    }

    // MARK: Who flies when

    @Test func independentNodesFlyAtOnce() async throws {
        let (client, stub) = client(ItemServer())
        stub.hold()
        var graph = RequestGraph()
        let roots = (0..<6).map { graph.add(Item(id: $0)) }
        graph.add(after: roots[0], roots[1]) { Item(id: $0.n + $1.n) }
        let flight = Task { [graph] in try await client.send(graph) }
        try await stub.received(count: 6)
        #expect(stub.inFlight == 6)
        stub.release()
        _ = try await flight.value
    }

    @Test func aNodeTakesOffAsSoonAsItsOwnNodesHaveLanded() async throws {
        let server = ItemServer(silent: [9])
        let (client, stub) = client(server)
        var graph = RequestGraph()
        graph.add(Item(id: 9))
        let one = graph.add(Item(id: 1))
        let two = graph.add(after: one) { Item(id: $0.n + 1) }
        graph.add(after: two) { Item(id: $0.n + 1) }
        let flight = Task { [graph] in try await client.send(graph) }
        try await stub.received(count: 4)
        flight.cancel()
        await #expect(throws: CancellationError.self) { try await flight.value }
    }

    @Test(arguments: [1, 2, 5])
    func noMoreFlyAtOnceThanTheLimit(limit: Int) async throws {
        let server = ItemServer()
        let (client, stub) = client(server)
        stub.hold()
        var graph = RequestGraph(limit: limit)
        let roots = (0..<20).map { graph.add(Item(id: $0)) }
        for root in roots { graph.add(after: root) { Item(id: $0.n + 100) } }
        let flight = Task { [graph] in try await client.send(graph) }
        try await stub.received(count: limit)
        for _ in 0..<50 { await Task.yield() }
        #expect(stub.inFlight == limit)
        stub.release()
        _ = try await flight.value
        #expect(stub.requests.count == 40)
        #expect(server.most <= limit)
    }

    // MARK: Failure

    @Test func aFailedNodeFailsOnlyWhatNeedsIt() async throws {
        let (client, stub) = client(ItemServer(failing: [2]))
        var graph = RequestGraph()
        let one = graph.add(Item(id: 1)), two = graph.add(Item(id: 2), named: "two")
        let needy = graph.add(after: one, two) { one, _ in Item(id: one.n + 10) }
        let needier = graph.add(after: needy) { Item(id: $0.n) }
        let fine = graph.add(after: one) { Item(id: $0.n + 20) }
        let board = ProgressBoard()
        let flown = try await client.send(graph, progress: board.note)
        #expect(try flown[fine] == Number(n: 21))
        let error = await failure { _ = try flown[two] }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.member == TarmacError.Member(group: .graph, index: 1, total: 5, name: "two"))
        for node in [needy, needier] {
            let error = await failure { _ = try flown[node] }
            #expect(error?.code == .dependencyFailed)
            #expect(error?.cause(as: TarmacError.self)?.code == .unacceptableStatus)
            #expect(error?.reason == "it needs graph node 2 of 5, two, which failed with unacceptableStatus")
        }
        #expect((flown.result(of: needier).error as? TarmacError)?.member?.index == 3)
        #expect(flown.failures.count == 1)
        #expect(await failure { try flown.check() }?.code == .unacceptableStatus)
        #expect(stub.requests.count == 3)
        #expect(board.onlyGrows)
        #expect(board.reports.value.last == GroupProgress(completed: 5, failed: 3, total: 5))
    }

    @Test func theUserIsToldWhatFailedAndNotWhatCouldNotBeDoneBecauseOfIt() {
        let root = TarmacError(.timeout).with(userMessage: "慢")
        #expect(TarmacError(.dependencyFailed, cause: root).userMessage == "慢")
        #expect(TarmacError(.dependencyFailed, cause: TarmacError(.timeout)).userMessage(in: .english) == TarmacError(.timeout).userMessage(in: .english))
    }

    @Test func whatANodesClosureThrowsIsItsFailure() async throws {
        let (client, _) = client(ItemServer())
        var graph = RequestGraph()
        let one = graph.add(Item(id: 1))
        let thrower = graph.add(after: one) { _ -> Item in throw Foreign() }
        let worker = graph.add(ClientWork { _ -> Int in throw Foreign(number: 2) }, named: "own")
        let flown = try await client.send(graph)
        let error = await failure { _ = try flown[thrower] }
        #expect(error?.code == .callerFailed)
        #expect(error?.cause(as: Foreign.self) == Foreign())
        #expect(await failure { _ = try flown[worker] }?.member?.name == "own")
        #expect(try flown[one] == Number(n: 1))
    }

    @Test func aNodesOwnCancellationIsItsFailureAlone() async throws {
        let (client, _) = client(ItemServer())
        var graph = RequestGraph()
        let one = graph.add(Item(id: 1))
        let gone = graph.add(after: one) { _ in ClientWork { _ -> Int in throw CancellationError() } }
        let needy = graph.add(after: gone) { number in ClientWork { _ in number } }
        let flown = try await client.send(graph)
        #expect(throws: CancellationError.self) { try flown[gone] }
        #expect(await failure { _ = try flown[needy] }?.code == .dependencyFailed)
        #expect(try flown[one] == Number(n: 1))
    }

    // MARK: Cancellation

    @Test func aCancelledGraphCancelsEveryNodeAndFliesNoOther() async throws {
        let (client, stub) = client(ItemServer())
        stub.hold()
        var graph = RequestGraph()
        let roots = (0..<5).map { graph.add(Item(id: $0)) }
        for root in roots { graph.add(after: root) { Item(id: $0.n + 100) } }
        let flight = Task { [graph] in try await client.send(graph) }
        try await stub.received(count: 5)
        stub.release(2)
        try await stub.received(count: 7)
        flight.cancel()
        await #expect(throws: CancellationError.self) { try await flight.value }
        try await stub.isIdle()
        #expect(stub.requests.count == 7)
    }

    // MARK: Bad input

    @Test func anEmptyGraphLandsAtOnce() async throws {
        let (client, stub) = client(ItemServer())
        let flown = try await client.send(RequestGraph())
        #expect("\(flown)" == "0 of 0 nodes landed, 0 failed")
        #expect(stub.requests.isEmpty)
    }

    @Test(arguments: [0, -1])
    func aLimitBelowOneIsRefused(limit: Int) async throws {
        let (client, stub) = client(ItemServer())
        var graph = RequestGraph(limit: limit)
        graph.add(Item(id: 1))
        #expect(await failure { _ = try await client.send(graph) }?.code == .invalidGroup)
        #expect(stub.requests.isEmpty)
    }

    @Test func aNodeOfAnotherGraphIsRefusedBeforeTakeOff() async throws {
        let (client, stub) = client(ItemServer())
        var graph = RequestGraph(), other = RequestGraph()
        let mine = graph.add(Item(id: 1)), foreign = other.add(Item(id: 2))
        graph.add(after: mine, foreign, named: "both") { Item(id: $0.n + $1.n) }
        let error = await failure { _ = try await client.send(graph) }
        #expect(error?.code == .invalidGroup)
        #expect(error?.reason.contains("both") == true)
        #expect(stub.requests.isEmpty)
        let flown = try await client.send(other)
        #expect(await failure { _ = try flown[mine] }?.code == .invalidGroup)
    }

    @Test func copiesShareWhatTheyHadAndNothingElse() async throws {
        let (client, _) = client(ItemServer())
        var graph = RequestGraph()
        let shared = graph.add(Item(id: 1))
        var copy = graph
        let mine = graph.add(Item(id: 2))
        let theirs = copy.add(after: shared) { Item(id: $0.n + 2) }
        let (flown, flownCopy) = try await (client.send(graph), client.send(copy))
        #expect(try flown[mine] == Number(n: 2))
        #expect(try flownCopy[theirs] == Number(n: 3))
        #expect(try flownCopy[shared] == Number(n: 1))
        // The same place in another copy is another node.
        #expect(await failure { _ = try flown[theirs] }?.code == .invalidGroup)
        copy.add(after: mine) { Item(id: $0.n) }
        #expect(await failure { _ = try await client.send(copy) }?.code == .invalidGroup)
    }

    @Test func aNodeAfterARefusedOneIsRefusedWithTheFirstReason() async throws {
        let (client, _) = client(ItemServer())
        var graph = RequestGraph(), other = RequestGraph()
        let refused = graph.add(after: other.add(Item(id: 1)), named: "first") { Item(id: $0.n) }
        graph.add(after: refused, named: "second") { Item(id: $0.n) }
        #expect(await failure { _ = try await client.send(graph) }?.reason.contains("first") == true)
    }

    @Test(.heavy) func tenThousandNodesFlyAndOneMoreIsRefused() async throws {
        let (client, stub) = client(ItemServer())
        var graph = RequestGraph()
        var last = graph.add(ClientWork { _ in 0 })
        for _ in 1..<10_000 { last = graph.add(after: last) { number in ClientWork { _ in number + 1 } } }
        let flown = try await client.send(graph)
        #expect(try flown[last] == 9_999)
        graph.add(Item(id: 1))
        #expect(await failure { _ = try await client.send(graph) }?.code == .invalidGroup)
        #expect(stub.requests.isEmpty)
    }

    // MARK: Chart

    @Test func theChartShowsWhoNeedsWhomAndWhatBecameOfIt() async throws {
        let (client, _) = client(ItemServer(failing: [2]))
        var graph = RequestGraph()
        let one = graph.add(Item(id: 1)), two = graph.add(.get("/items/2", as: String.self))
        let both = graph.add(after: one, two) { one, _ in Item(id: one.n) }
        graph.add(after: one, one, named: "own") { _, _ in ClientWork { _ in } }
        #expect(
            graph.mermaid == """
                flowchart TD
                    n0["Item"]
                    n1["GET /items/2"]
                    n2["Item"]
                    n3["own"]
                    n0 --> n2
                    n1 --> n2
                    n0 --> n3

                """)
        let flown = try await client.send(graph)
        _ = flown.result(of: both)
        #expect(flown.mermaid.contains("n0[\"Item\"]:::landed\n    n1[\"GET /items/2<br/>unacceptableStatus\"]:::failed"))
        #expect(flown.mermaid.contains("n2[\"Item<br/>dependencyFailed\"]:::notFlown"))
        #expect(flown.mermaid.contains("classDef failed"))
    }

    @Test(arguments: [
        (#"a"] --> b["#, #"a#34;] --#62; b["#), ("<script>", "#60;script#62;"), ("a\nb\r\tc\u{2028}d", "a b  c d"), ("a#b;c&d`", "a#35;b#59;c#38;d#96;"),
        ("GET /users/{id}", "GET /users/{id}"), ("登录", "登录"),
    ])
    func aNameIsOneLabel(name: String, shown: String) {
        #expect(GraphChart.escaped(name) == shown)
    }

    @Test func aLongNameIsCut() {
        #expect(GraphChart.escaped(String(repeating: "x", count: 5_000)).count == 81)
    }
}
