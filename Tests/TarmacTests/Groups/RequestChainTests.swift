import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacGroups

/// YTK-36; weakness YTK-B7.
@Suite("Chain", .timeLimit(.minutes(5)))
struct RequestChainTests {
    private func client(_ server: ItemServer) -> (Client, StubTransport) {
        let stub = server.stub
        return (Client(stub), stub)
    }

    private func paths(_ stub: StubTransport) -> [String] { stub.requests.map { String($0.url.path.dropFirst("/items/".count)) } }

    // MARK: Steps

    /// Built in a loop and released without a stack as deep as the chain is long.
    @Test func aLongerChainSharesTheStepsOfTheShorterOne() {
        var chain = RequestChain(value: 0)
        for _ in 0..<100_000 {
            let shorter = chain.steps
            chain = chain.then { RequestChain(value: $0 + 1) }
            if chain.steps.last?.previous !== shorter.last {
                Issue.record("the steps were copied")
                break
            }
        }
        #expect(chain.count == 100_000)
        #expect(chain.steps.reversed.count == 100_000)
    }

    @Test func twoChainsOfOneBeginningHaveTheirOwnSteps() async throws {
        let (client, stub) = client(ItemServer())
        let first = RequestChain(Item(id: 1))
        let (two, three) = (first.then { _ in Item(id: 2) }, first.then { _ in Item(id: 3) })
        #expect(try await client.send(two) == Number(n: 2))
        #expect(try await client.send(three) == Number(n: 3))
        #expect(try await client.send(first) == Number(n: 1))
        #expect(paths(stub) == ["1", "2", "1", "3", "1"])
        #expect((first.count, two.count, three.count) == (1, 2, 2))
    }

    @Test func eachStepIsMadeOfWhatTheLastLandedAs() async throws {
        let (client, stub) = client(ItemServer())
        let last = try await client.send(RequestChain(Item(id: 1)).then { Item(id: $0.n * 10) }.then { Item(id: $0.n + 5) })
        #expect(last == Number(n: 15))
        #expect(paths(stub) == ["1", "10", "15"])
    }

    @Test func aStepSeesWhatAllBeforeItLandedAs() async throws {
        let (client, _) = client(ItemServer())
        let chain = RequestChain(Item(id: 1))
            .then { _ in InlineEndpoint.get("/items/2", as: String.self) }
            .then { text, former in
                #expect(text == #"{"n":2}"#)
                #expect(former.count == 2)
                return Item(id: try former[Item.self].n + 30)
            }
            .then { _, former in Item(id: former.all(Item.self).map(\.n).reduce(0, +)) }
        #expect(try await client.send(chain) == Number(n: 32))
        #expect(chain.count == 4)
    }

    @Test func whatNoStepWasIsAnErrorThatNamesIt() async throws {
        let (client, _) = client(ItemServer())
        let error = await failure {
            _ = try await client.send(
                RequestChain(Item(id: 1)).then { _, former in
                    InlineEndpoint.get("/items/2", ["text": try former[InlineEndpoint<String>.self]], as: String.self)
                })
        }
        #expect(error?.code == .invalidGroup)
        #expect(error?.member?.index == 1)
    }

    @Test func workOfAnyKindIsAStep() async throws {
        let (client, stub) = client(ItemServer())
        let sum = try await client.send(
            RequestChain(Item(id: 1))
                .then { one in ClientWork { client in try await client.send(Batch(allOrNothing: (2...4).map { Item(id: $0 * one.n) })) } }
                .then { numbers in ClientWork { _ in numbers.map(\.n).reduce(0, +) } })
        #expect(sum == 9)
        #expect(stub.requests.count == 4)
    }

    @Test func anOptionalAndANothingPassThrough() async throws {
        let (client, _) = client(ItemServer())
        let chain = RequestChain(InlineEndpoint<Void>.get("/items/1"))
            .then { _ in ClientWork { _ -> Int? in nil } }
            .then { none in ClientWork { _ -> (Int?, String) in (none, "none") } }
            .then { pair in ClientWork { _ in "\(pair.0 == nil) \(pair.1)" } }
        #expect(try await client.send(chain) == "true none")
    }

    // MARK: Adding steps

    @Sendable private static func countdown(from number: Int) -> RequestChain<Number> {
        RequestChain(Item(id: number)).then { $0.n == 0 ? RequestChain(value: $0) : countdown(from: $0.n - 1) }
    }

    @Test func aStepAddsStepsAndTheRestFollowsThem() async throws {
        let (client, stub) = client(ItemServer())
        let last = try await client.send(RequestChain(Item(id: 3)).then { Self.countdown(from: $0.n - 1) }.then { Item(id: $0.n + 7) })
        #expect(last == Number(n: 7))
        #expect(paths(stub) == ["3", "2", "1", "0", "7"])
    }

    @Test func aChainThatNeverEndsIsEnded() async throws {
        let (client, _) = client(ItemServer())
        @Sendable func forever(_ number: Int) -> RequestChain<Int> { RequestChain(value: number).then { forever($0 + 1) } }
        let error = await failure { _ = try await client.send(forever(0)) }
        #expect(error?.code == .invalidGroup)
    }

    @Test(.heavy) func aLongChainOfAddedStepsLands() async throws {
        let (client, stub) = client(ItemServer())
        #expect(try await client.send(Self.countdown(from: 1_000)) == Number(n: 0))
        #expect(stub.requests.count == 1_001)
    }

    // MARK: Failure

    @Test(arguments: 0..<4)
    func theFirstFailureEndsTheChainAndNamesItsStep(position: Int) async throws {
        let (client, stub) = client(ItemServer(failing: [position]))
        let error = await failure {
            _ = try await client.send(RequestChain(Item(id: 0)).then { Item(id: $0.n + 1) }.then { Item(id: $0.n + 1) }.then { Item(id: $0.n + 1) })
        }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.members == [TarmacError.Member(group: .chain, index: position, total: 4, name: "Item")])
        #expect(stub.requests.count == position + 1)
    }

    @Test func aStepThatThrowsEndsTheChainWithItsErrorAsTheCause() async throws {
        let (client, stub) = client(ItemServer())
        let error = await failure {
            _ = try await client.send(
                RequestChain(Item(id: 1)).then { number -> Item in
                    if number.n == 1 { throw Foreign() }
                    return Item(id: 2)
                }.then { Item(id: $0.n) })
        }
        #expect(error?.code == .callerFailed)
        #expect(error?.cause(as: Foreign.self) == Foreign())
        #expect(error.map { "\($0)" }?.contains("chain step 2 of 3, Item") == true)
        #expect(stub.requests.count == 1)
    }

    @Test func aFailureInsideABatchOfAStepNamesBoth() async throws {
        let (client, _) = client(ItemServer(failing: [3]))
        let error = await failure {
            _ = try await client.send(
                RequestChain(Item(id: 1)).then { _ in
                    ClientWork(named: "details") { client in
                        try await client.send(Batch(Item(id: 2), Item(id: 3))).0
                    }
                })
        }
        #expect(error?.members.map(\.description) == ["chain step 2 of 2, details", "batch member 2 of 2, Item"])
    }

    // MARK: Empty, cancelled, twice

    @Test func anEmptyChainLandsAtOnceAndSendsNothing() async throws {
        let (client, stub) = client(ItemServer())
        try await client.send(RequestChain())
        #expect(try await client.send(RequestChain(value: 5)) == 5)
        #expect(stub.requests.isEmpty)
        #expect(try await client.send(RequestChain().then { Item(id: 1) }) == Number(n: 1))
    }

    @Test(arguments: 1...3)
    func aCancelledChainCancelsItsStepAndFliesNoOther(flying: Int) async throws {
        let (client, stub) = client(ItemServer())
        stub.hold()
        stub.release(flying - 1)
        let chain = Task { try await client.send(RequestChain(Item(id: 1)).then { Item(id: $0.n + 1) }.then { Item(id: $0.n + 1) }) }
        try await stub.received(count: flying)
        chain.cancel()
        await #expect(throws: CancellationError.self) { try await chain.value }
        stub.release()
        try await stub.isIdle()
        #expect(stub.requests.count == flying)
    }

    @Test func aCancelledChainMakesNoFurtherStep() async throws {
        let (client, _) = client(ItemServer())
        let made = Watched(0)
        let gate = Watched(false)
        let chain = Task {
            try await client.send(
                RequestChain(Item(id: 1))
                    .then { _ in
                        ClientWork { _ in
                            made.update { $0 += 1 }
                            _ = try? await gate.wait { $0 }
                        }
                    }
                    .then { _ in ClientWork { _ in made.update { $0 += 1 } } })
        }
        try await made.wait { $0 == 1 }
        chain.cancel()
        await #expect(throws: CancellationError.self) { try await chain.value }
        #expect(made.value == 1)
    }

    @Test func eachRunIsAFlightOfItsOwn() async throws {
        let (client, stub) = client(ItemServer())
        let chain = RequestChain(Item(id: 1)).then { Item(id: $0.n + 1) }
        async let first = client.send(chain)
        async let second = client.send(chain)
        let flown = try await (first, second)
        #expect(flown.0 == flown.1)
        #expect(stub.requests.count == 4)
    }

    @Test func progressGrowsWithTheStepsThatAreAdded() async throws {
        let (client, _) = client(ItemServer())
        let board = ProgressBoard()
        _ = try await client.send(RequestChain(Item(id: 2)).then { Self.countdown(from: $0.n - 1) }, progress: board.note)
        #expect(board.onlyGrows)
        // A step that adds steps is one itself, and ended when they are known.
        #expect(board.reports.value.map(\.completed) == Array(1...6))
        #expect(board.reports.value.last?.fraction == 1)
    }

    @Test func settingsAreThoseOfEveryStep() async throws {
        let (client, stub) = client(ItemServer())
        _ = try await client.send(RequestChain(Item(id: 1)) { $0.headers["X-All"] = "1" }.then { Item(id: $0.n + 1).with { $0.headers["X-Own"] = "2" } })
        #expect(stub.requests.map { $0.headers[HTTPField.Name("X-All")!] } == ["1", "1"])
        #expect(stub.requests.map { $0.headers[HTTPField.Name("X-Own")!] } == [nil, "2"])
    }

    @Test func aChainThatHasLandedIsAtItsEnd() async throws {
        let (client, _) = client(ItemServer())
        let board = ProgressBoard()
        _ = try await client.send(RequestChain(Item(id: 1)).then { RequestChain(value: $0) }.then { Item(id: $0.n) }, progress: board.note)
        #expect(board.onlyGrows && board.reports.value.last?.fraction == 1)
        _ = try await client.send(RequestChain(Item(id: 1)).then { RequestChain(value: $0) }, progress: board.note)
        #expect(board.reports.value.last?.fraction == 1)
    }

    // MARK: A chain in a chain

    @Test func aChainThatIsAddedKeepsItsSettings() async throws {
        let (client, stub) = client(ItemServer())
        let recorder = HookRecorder()
        let more = RequestChain(Item(id: 2)) { $0.headers["X-More"] = "2" }.then { Item(id: $0.n + 1) }.with {
            $0.hooks = recorder.hooks()
            $0.tags = ["more"]
            $0.name = "more"
        }
        let chain = RequestChain(Item(id: 1)) { $0.headers["X-All"] = "1" }.then { _ in more }.then { _, former in
            Item(id: former.count + 1)
        }
        #expect(try await client.send(chain).n == 4)
        #expect(stub.requests.map { $0.headers[HTTPField.Name("X-All")!] } == ["1", "1", "1", "1"])
        #expect(stub.requests.map { $0.headers[HTTPField.Name("X-More")!] } == [nil, "2", "2", nil])
        #expect(recorder.entries.value.map(\.call.name) == Array(repeating: "more", count: 6))
        #expect(recorder.entries.value.first?.call.tags == ["more"])
    }

    /// Each with settings is a whole of its own within the one before.
    private static func nested(_ depth: Int, at level: Int = 1) -> RequestChain<Number> {
        let chain = RequestChain(Item(id: level)).with { $0.name = "level \(level)" }
        return depth == 0 ? chain : chain.then { _ in nested(depth - 1, at: level + 1) }
    }

    @Test func chainsWithSettingsAreAddedAHundredDeepAndNoDeeper() async throws {
        let (client, stub) = client(ItemServer())
        let outer = RequestChain(Item(id: 0))
        #expect(try await client.send(outer.then { _ in Self.nested(99) }).n == 100)
        #expect(stub.requests.count == 101)
        let error = await failure { _ = try await client.send(outer.then { _ in Self.nested(100) }) }
        #expect(error?.code == .invalidGroup)
        #expect(error?.member?.name == "level 101" && error?.members.count == 1)
        #expect(stub.requests.count == 202)
    }

    /// One after the other they are no deeper than one.
    @Test func chainsWithSettingsFollowEachOtherWithoutEnd() async throws {
        let (client, stub) = client(ItemServer())
        let more = RequestChain(Item(id: 1)).with { $0.name = "more" }
        let chain = (0..<150).reduce(RequestChain(Item(id: 0))) { chain, _ in chain.then { _ in more } }
        #expect(try await client.send(chain).n == 1)
        #expect(stub.requests.count == 151)
    }

    @Test func aChainThatIsAddedEndsByItsTag() async throws {
        let (client, stub) = client(ItemServer(silent: [2]))
        let more = RequestChain(Item(id: 2)).with { $0.tags = ["more"] }
        let chain = Task { try await client.send(RequestChain(Item(id: 1)).then { _ in more }.then { Item(id: $0.n) }) }
        try await stub.received(count: 2)
        client.cancelAll(tagged: "more")
        await #expect(throws: CancellationError.self) { try await chain.value }
        #expect(stub.requests.count == 2)
    }

    @Test func aStepOfAChainThatIsAddedIsNamedByItsPlaceInTheWhole() async throws {
        let (client, _) = client(ItemServer(failing: [3]))
        let more = RequestChain(Item(id: 2)).then { Item(id: $0.n + 1) }.with { $0.name = "more" }
        let error = await failure { _ = try await client.send(RequestChain(Item(id: 1)).then { _ in more }.then { Item(id: $0.n) }) }
        #expect(error?.member?.index == 2 && error?.member?.total == 4)
        #expect(error?.members.count == 1)
    }
}
