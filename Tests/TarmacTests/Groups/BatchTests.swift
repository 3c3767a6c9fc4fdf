import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacGroups

/// YTK-35, XF-13; weaknesses YTK-B7, YTK-B8, YTK-B9, XF-B1.
@Suite("Batch", .timeLimit(.minutes(5)))
struct BatchTests {
    private func client(_ server: ItemServer, concurrency: Int = 64) -> (Client, StubTransport) {
        let stub = server.stub
        return (Client(stub, concurrency: concurrency), stub)
    }

    // MARK: All or nothing

    @Test func valuesOfSeveralKindsLandAsTheyWereListed() async throws {
        let (client, _) = client(ItemServer())
        let (one, text, nothing): (Number, String, Void) = try await client.send(
            Batch(Item(id: 1), InlineEndpoint.get("/items/2", as: String.self), InlineEndpoint<Void>.get("/items/3")))
        #expect(one == Number(n: 1))
        #expect(text == #"{"n":2}"#)
        #expect(nothing == ())
    }

    @Test(arguments: [nil, 1, 3, 100] as [Int?])
    func valuesOfOneKindStandInTheOrderOfTheCalls(limit: Int?) async throws {
        let (client, stub) = client(ItemServer(), concurrency: 2)
        let numbers = try await client.send(Batch(allOrNothing: (0..<40).map { Item(id: $0) }, limit: limit))
        #expect(numbers.map(\.n) == Array(0..<40))
        #expect(Set(stub.requests.map(\.url.path)).count == 40)
        #expect(stub.requests.count == 40)
    }

    @Test(arguments: [nil, 7] as [Int?])
    func aThousandCallsAreABatchLikeAnyOther(limit: Int?) async throws {
        let (client, stub) = client(ItemServer(), concurrency: 64)
        let calls = (0..<1_000).map { Item(id: $0) }
        #expect(try await client.send(Batch(allOrNothing: calls, limit: limit)).map(\.n) == Array(0..<1_000))
        #expect(try await client.send(Batch(calls, limit: limit)).texts == (0..<1_000).map(String.init))
        #expect(stub.requests.count == 2_000)
    }

    @Test func theOrderIsThatOfTheListHoweverTheyLand() async throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<20 {
            let ranks = Array(0..<12).shuffled(using: &random)
            let turn = Watched(0)
            let stub = StubTransport { request in
                let id = Int(request.url.path.split(separator: "/")[1]) ?? 0
                try await turn.wait { $0 == ranks[id] }
                turn.update { $0 += 1 }
                return .json(#"{"n":\#(id)}"#)
            }
            let outcomes = try await Client(stub).send(Batch((0..<12).map { Item(id: $0) }))
            #expect(outcomes.texts == (0..<12).map(String.init))
        }
    }

    // YTK-35, XF-13: the others never answer: were the calls awaited in the order of the list, only the first position would end.
    @Test(arguments: 0..<5)
    func aFailureCancelsTheOthersAtOnceWhereverItStands(position: Int) async throws {
        let server = ItemServer(failing: [position], silent: Set(0..<5).subtracting([position]))
        let (client, stub) = client(server)
        let error = await failure { _ = try await client.send(Batch(Item(id: 0), Item(id: 1), Item(id: 2), Item(id: 3), Item(id: 4))) }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.member == TarmacError.Member(group: .batch, index: position, total: 5, name: "Item"))
        #expect(error?.endpoint == "Item")
        #expect(error.map { "\($0)" }?.contains("batch member \(position + 1) of 5, Item") == true)
        try await stub.isIdle()
    }

    // YTK-35: so does a batch made of a list.
    @Test(arguments: 0..<5)
    func theSameHoldsForCallsOfOneKind(position: Int) async throws {
        let server = ItemServer(failing: [position], silent: Set(0..<5).subtracting([position]))
        let (client, stub) = client(server)
        let error = await failure { _ = try await client.send(Batch(allOrNothing: (0..<5).map { Item(id: $0) })) }
        #expect(error?.member?.index == position)
        try await stub.isIdle()
    }

    @Test func afterAFailureNobodyTakesOff() async throws {
        let (client, stub) = client(ItemServer(failing: [2]))
        let error = await failure { _ = try await client.send(Batch(allOrNothing: (0..<50).map { Item(id: $0) }, limit: 1)) }
        #expect(error?.member?.index == 2)
        #expect(stub.requests.map(\.url.path) == ["/items/0", "/items/1", "/items/2"])
    }

    @Test func badInputOfOneMemberNamesItAndCancelsTheOthers() async throws {
        let (client, stub) = client(ItemServer(silent: [0]))
        let error = await failure {
            _ = try await client.send(Batch(Item(id: 0), Item(id: 1).with { $0.headers["X-Bad"] = "a\r\nb" }))
        }
        #expect(error?.code == .invalidParameter)
        #expect(error?.member?.index == 1)
        try await stub.isIdle()
    }

    // MARK: Each for itself

    @Test(arguments: [nil, 1, 4] as [Int?])
    func oneFailureHidesNoOther(limit: Int?) async throws {
        let (client, _) = client(ItemServer(failing: [1, 3]))
        let outcomes = try await client.send(Batch((0..<5).map { Item(id: $0) }, limit: limit))
        #expect(outcomes.texts == ["0", "unacceptableStatus", "2", "unacceptableStatus", "4"])
        #expect(outcomes.compactMap { ($0.error as? TarmacError)?.member?.index } == [1, 3])
    }

    // XF-13: APIs of several kinds, each with its own outcome.
    @Test func outcomesOfSeveralKindsAreTyped() async throws {
        let (client, _) = client(ItemServer(failing: [1]))
        let (first, second) = try await client.send(Batch(outcomesOf: Item(id: 1), InlineEndpoint.get("/items/2", as: String.self)))
        #expect((first.error as? TarmacError)?.member?.index == 0)
        #expect(try second.get() == #"{"n":2}"#)
    }

    // MARK: Limit and progress

    @Test(arguments: [1, 2, 7])
    func noMoreFlyAtOnceThanTheLimit(limit: Int) async throws {
        let server = ItemServer()
        let (client, stub) = client(server)
        stub.hold()
        let batch = Task { try await client.send(Batch((0..<50).map { Item(id: $0) }, limit: limit)) }
        try await stub.received(count: limit)
        for _ in 0..<50 { await Task.yield() }
        #expect(stub.inFlight == limit)
        stub.release()
        #expect(try await batch.value.count == 50)
        #expect(server.most <= limit)
    }

    @Test(arguments: [nil, 3] as [Int?])
    func progressOnlyGrowsAndIsComplete(limit: Int?) async throws {
        let (client, _) = client(ItemServer(failing: [4, 5, 6]))
        let board = ProgressBoard()
        _ = try await client.send(Batch((0..<30).map { Item(id: $0) }, limit: limit), progress: board.note)
        #expect(board.onlyGrows)
        #expect(board.reports.value.map(\.completed) == Array(1...30))
        #expect(board.reports.value.last == GroupProgress(completed: 30, failed: 3, total: 30))
    }

    @Test func progressEndsWithTheFirstFailure() async throws {
        let (client, _) = client(ItemServer(failing: [0], silent: [1, 2]))
        let board = ProgressBoard()
        _ = await failure { _ = try await client.send(Batch(allOrNothing: (0..<3).map { Item(id: $0) }), progress: board.note) }
        #expect(board.reports.value == [GroupProgress(completed: 1, failed: 1, total: 3)])
    }

    // MARK: Cancellation

    @Test(arguments: [nil, 2] as [Int?])
    func aCancelledBatchCancelsEveryCallAndSendsNoOther(limit: Int?) async throws {
        let (client, stub) = client(ItemServer())
        stub.hold()
        let batch = Task { try await client.send(Batch(allOrNothing: (0..<20).map { Item(id: $0) }, limit: limit)) }
        try await stub.received(count: limit ?? 20)
        batch.cancel()
        await #expect(throws: CancellationError.self) { try await batch.value }
        try await stub.isIdle()
        stub.release()
        #expect(stub.requests.count == limit ?? 20)
    }

    @Test func cancelledOutcomesAreCancellationsInTheirPlaces() async throws {
        let (client, stub) = client(ItemServer())
        stub.hold()
        let batch = Task { try await client.send(Batch((0..<10).map { Item(id: $0) }, limit: 3)) }
        try await stub.received(count: 3)
        stub.release(1)
        try await stub.received(count: 4)
        batch.cancel()
        let outcomes = try await batch.value
        #expect(outcomes.texts.sorted().dropFirst() == Array(repeating: "CancellationError", count: 9)[...])
        #expect(stub.requests.count == 4)
    }

    @Test func aBatchMadeInACancelledTaskSendsNothing() async throws {
        let (client, stub) = client(ItemServer())
        let gate = Watched(false)
        let batch = Task {
            _ = try? await gate.wait { $0 }
            return try await client.send(Batch(Item(id: 1), Item(id: 2)))
        }
        batch.cancel()
        await #expect(throws: CancellationError.self) { try await batch.value }
        #expect(stub.requests.isEmpty)
    }

    @Test func aShutDownClientFailsTheBatchWithOneError() async throws {
        let (client, stub) = client(ItemServer())
        stub.hold()
        let batch = Task { try await client.send(Batch(Item(id: 1), Item(id: 2))) }
        try await stub.received(count: 2)
        await client.shutdown()
        #expect(await failure { _ = try await batch.value }?.code == .clientShutDown)
    }

    // MARK: Bad input

    // YTK-B7: an empty batch never came to an end; XF-B1: every batch came to its end at once.
    @Test func anEmptyBatchLandsAtOnceWithNothing() async throws {
        let (client, stub) = client(ItemServer())
        let board = ProgressBoard()
        #expect(try await client.send(Batch(allOrNothing: [Item]()), progress: board.note).isEmpty)
        #expect(try await client.send(Batch([Item](), limit: 0)).isEmpty)
        #expect(board.reports.value.allSatisfy { $0 == GroupProgress(total: 0) } && stub.requests.isEmpty)
    }

    @Test(arguments: [0, -1, .min])
    func aLimitBelowOneIsRefused(limit: Int) async throws {
        let (client, stub) = client(ItemServer())
        let items = [Item(id: 1), Item(id: 2)]
        #expect(await failure { _ = try await client.send(Batch(allOrNothing: items, limit: limit)) }?.code == .invalidGroup)
        #expect(await failure { _ = try await client.send(Batch(Item(id: 1), limit: limit)) }?.code == .invalidGroup)
        #expect(try await client.send(Batch(items, limit: limit)).texts == ["invalidGroup", "invalidGroup"])
        #expect(stub.requests.isEmpty)
    }

    // MARK: A value

    @Test func eachRunIsAFlightOfItsOwn() async throws {
        let (client, stub) = client(ItemServer())
        let batch = Batch(Item(id: 1), Item(id: 2))
        async let first = client.send(batch)
        async let second = client.send(batch)
        let flown = try await (first, second)
        #expect(flown.0 == flown.1)
        #expect(batch.count == 2)
        #expect(stub.requests.count == 4)
    }

    @Test func aMemberHasSettingsOfItsOwnBelowThoseOfTheWholeBatch() async throws {
        let (client, stub) = client(ItemServer())
        _ = try await client.send(Batch(Item(id: 1).with { $0.headers["X-Own"] = "1" }, Item(id: 2))) { $0.headers["X-All"] = "2" }
        let requests = stub.requests.sorted { $0.url.path < $1.url.path }
        #expect(requests.map { $0.headers[HTTPField.Name("X-Own")!] } == ["1", nil])
        #expect(requests.map { $0.headers[HTTPField.Name("X-All")!] } == ["2", "2"])
    }

    @Test func aMemberWithSettingsIsTheSameCallOtherwise() async throws {
        let landed = Watched(0)
        struct Secretive: Endpoint, Encodable {
            typealias Value = Number
            static let route: Route = .post("/items/{id}")
            static let name = "Secretive"
            var id: Int
            @Secret var password: String
            let landed: Watched<Int>
            enum CodingKeys: String, CodingKey { case id, password }
            func configure(_ options: inout Options) { options.headers["X-Base"] = "base" }
            func didLand(_ value: Landed<Number>) async throws { landed.update { $0 += 1 } }
        }
        let (client, stub) = client(ItemServer(failing: [2]))
        let call = Secretive(id: 1, password: "hunter2", landed: landed)
        _ = try await client.send(Batch(call.with { $0.timeout = .seconds(30) }))
        #expect(landed.value == 1)
        #expect(stub.requests[0].headers[HTTPField.Name("X-Base")!] == "base")
        #expect(stub.requests[0].secrets.names.contains("password"))
        let error = await failure { _ = try await client.send(Batch(Secretive(id: 2, password: "hunter2", landed: landed).with { _ in })) }
        #expect(error?.member?.name == "Secretive")
    }
}
