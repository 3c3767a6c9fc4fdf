import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@MainActor
@Suite("YTKNetwork: batches, chains and graphs", .timeLimit(.minutes(5)))
struct YTKGroupTests {
    private let told = Locked<[String]>([])
    private let screen = GroupScreen()
    /// Answers with the number of the path; "/9" is a failure.
    private let stub = StubTransport { request in
        let id = request.url.path.split(separator: "/").last ?? ""
        return id == "9" ? .status(.notFound) : .json(#"{"id":\#(id),"name":"ann"}"#)
    }

    private func ids(_ stub: StubTransport) -> [String] { stub.requests.map { String($0.url.path.split(separator: "/").last ?? "") } }
    private func hooks(_ name: String) -> CallHooks {
        CallHooks(
            name, willStart: { [told] _ in told.withLock { $0.append("\(name) willStart") } },
            willStop: { [told] _, _ in told.withLock { $0.append("\(name) willStop") } },
            didStop: { [told] _, _ in told.withLock { $0.append("\(name) didStop") } })
    }

    // YTK-35, XF-13: it succeeds when all have; the first failure stops those that fly and names its call.
    @Test func aBatchSucceedsAsAWhole() async throws {
        let users = try await Client(stub).send(Batch(allOrNothing: [GetUser(id: 1), GetUser(id: 2)]))
        #expect(users.map(\.id) == [1, 2])
        let never = Watched(false)
        let stub = StubTransport { request in
            if !request.url.path.hasSuffix("/9") { try await never.wait { $0 } }
            return .status(.notFound)
        }
        let error = await #expect(throws: TarmacError.self) { try await Client(stub).send(Batch(GetUser(id: 1), GetUser(id: 9))) }
        #expect(error?.member?.index == 1 && error?.code == .unacceptableStatus)
        try await stub.isIdle()
    }

    // YTK-35: each member tells by its own landing whether its answer came from the cache; the batch did if all of them did.
    @Test func theMembersOfABatchTellWhetherTheyWereKept() async throws {
        let kept = Locked<[Bool]>([])
        let client = Client(stub) {
            $0.cache = .ttl(.seconds(180))
            $0.hooks = [
                CallHooks(didStop: { _, outcome in
                    if case .landed(_, let response?) = outcome { kept.withLock { $0.append(response.source.isCache) } }
                })
            ]
        }
        for (ids, expected) in [([1, 2], [false, false]), ([1, 2], [true, true]), ([1, 3], [false, true])] {
            kept.withLock { $0 = [] }
            #expect(try await client.send(Batch(allOrNothing: ids.map { GetUser(id: $0) })).map(\.id) == ids)
            #expect(Set(kept.withLock { $0 }) == Set(expected) && kept.withLock { $0.count } == 2)
        }
        #expect(ids(stub).sorted() == ["1", "2", "3"])
    }

    // YTK-35: a batch that flies is not started again; each member's own handling runs once, and the owner hears of the whole once.
    @Test func aBatchStartsOnceAndEachMemberLandsOnce() async throws {
        struct Counted: Endpoint, Encodable {
            typealias Value = User
            static let route: Route = .get("/users/{id}")
            var id: Int
            let landings: Locked<[Int]>
            enum CodingKeys: String, CodingKey { case id }
            func didLand(_ landed: Landed<User>) async throws { landings.withLock { $0.append(landed.value.id) } }
        }
        let landings = Locked<[Int]>([])
        let members = (1...3).map { Counted(id: $0, landings: landings) }
        stub.hold()
        let client = Client(stub)
        let call = client.call(Batch(allOrNothing: members), owner: screen, landed: GroupScreen.allLanded)
        call.start()
        call.start()
        try await stub.received(count: 3)
        stub.release()
        await eventually { !screen.landings.isEmpty }
        for _ in 0..<50 { await Task.yield() }
        #expect(landings.withLock { $0.sorted() } == [1, 2, 3] && ids(stub).count == 3)
        #expect(screen.landings == ["1"])
    }

    // YTK-36: step by step, a step may add the next, and the first failure ends the chain.
    @Test func aChainAddsStepsAndEndsWithTheFirstFailure() async throws {
        let client = Client(stub)
        let last = try await client.send(RequestChain(GetUser(id: 1)).then { RequestChain(GetUser(id: $0.id + 1)).then { GetUser(id: $0.id + 1) } })
        #expect(last.id == 3 && ids(stub) == ["1", "2", "3"])
        let error = await #expect(throws: TarmacError.self) {
            try await client.send(RequestChain(GetUser(id: 1)).then { _ in GetUser(id: 9) }.then { GetUser(id: $0.id) })
        }
        #expect(error?.code == .unacceptableStatus && error?.member?.index == 1)
        #expect(ids(stub).suffix(2) == ["1", "9"])
    }

    // YTK-36: a held chain may have a closure or a method for its end; no delegate is needed, and the failed step is named.
    @Test func theEndOfAChainIsToldToItsOwner() async throws {
        let client = Client(stub)
        client.start(RequestChain(GetUser(id: 1)).then { _ in GetUser(id: 9) }, owner: screen) { screen, result in
            screen.told("failed at \((result.error as? TarmacError)?.member?.index ?? -1)", nil)
        }
        await eventually { !screen.landings.isEmpty }
        let call = client.call(RequestChain(GetUser(id: 1)).then { GetUser(id: $0.id + 1) }, owner: screen, landed: GroupScreen.landed)
        call.start()
        await eventually { screen.landings.count >= 2 }
        #expect(screen.landings == ["failed at 1", "2"])
    }

    // YTK-36: stopping ends the step that flies and leaves out the others.
    @Test func aStoppedChainSendsNoMore() async throws {
        let client = Client(stub)
        stub.hold()
        let handle = client.start(RequestChain(GetUser(id: 1)).then { GetUser(id: $0.id + 1) }, owner: screen) { $0.landed($1) }
        try await stub.received()
        handle.cancel()
        await eventually { !screen.landings.isEmpty }
        // The step ends on the wire, although its answer is still held.
        try await stub.isIdle()
        stub.release()
        for _ in 0..<50 { await Task.yield() }
        #expect(screen.landings == ["cancelled"] && ids(stub) == ["1"])
    }

    // YTK-37: a batch and a chain have hooks and tags of their own, told once for the whole; a chain keeps them over the steps that are added
    // after them.
    @Test func groupsHaveHooksAndTags() async throws {
        let client = Client(stub)
        for isBatch in [true, false] {
            told.withLock { $0 = [] }
            if isBatch {
                _ = try await client.send(Batch(allOrNothing: [GetUser(id: 1), GetUser(id: 2)]).with { $0.hooks = [hooks("whole")] })
            } else {
                _ = try await client.send(RequestChain(GetUser(id: 1)).with { $0.hooks = [hooks("whole")] }.then { GetUser(id: $0.id) })
            }
            #expect(told.withLock { $0 } == ["whole willStart", "whole willStop", "whole didStop"])
        }
        stub.hold()
        let handle = client.start(Batch(allOrNothing: [GetUser(id: 1), GetUser(id: 2)]).with { $0.tags = ["feed"] }, owner: screen) {
            $0.landed($1.map { $0[0] })
        }
        client.cancelAll(tagged: "other")
        try await stub.received(count: 6)
        #expect(!handle.hasLanded)
        client.cancelAll(tagged: "feed")
        await eventually { !screen.landings.isEmpty }
        #expect(screen.landings == ["cancelled"])
        client.start(RequestChain(GetUser(id: 1)).then { GetUser(id: $0.id + 1) }.with { $0.tags = ["steps"] }, owner: screen) { $0.landed($1) }
        try await stub.received(count: 7)
        client.cancelAll(tagged: "feed")
        for _ in 0..<50 { await Task.yield() }
        #expect(stub.inFlight == 1)
        client.cancelAll(tagged: "steps")
        await eventually { screen.landings.count >= 2 }
        #expect(screen.landings == ["cancelled", "cancelled"] && stub.requests.count == 7)
        // Those that are awaited have theirs too.
        let batch = Task { try await client.send(Batch(allOrNothing: [GetUser(id: 1), GetUser(id: 2)]).with { $0.tags = ["later"] }) }
        try await stub.received(count: 9)
        let chain = Task { try await client.send(RequestChain(GetUser(id: 1)).with { $0.tags = ["last"] }.then { GetUser(id: $0.id + 1) }) }
        try await stub.received(count: 10)
        client.cancelAll(tagged: "later")
        await #expect(throws: CancellationError.self) { try await batch.value }
        await eventually { stub.inFlight <= 1 }
        #expect(stub.inFlight == 1)
        client.cancelAll(tagged: "last")
        await #expect(throws: CancellationError.self) { try await chain.value }
        #expect(stub.requests.count == 10)
    }

    // YTK-37: a group that nobody holds flies to its end.
    @Test func aGroupThatNobodyHoldsLands() async throws {
        let client = Client(stub)
        stub.hold()
        client.start(RequestChain(GetUser(id: 1)).then { GetUser(id: $0.id + 1) }, owner: screen) { $0.landed($1) }
        client.call(Batch(allOrNothing: [GetUser(id: 3), GetUser(id: 4)]), owner: screen, landed: GroupScreen.allLanded).start()
        try await stub.received(count: 3)
        stub.release()
        await eventually { screen.landings.count >= 2 }
        #expect(screen.landings.sorted() == ["2", "3"] && stub.requests.count == 4)
    }

    // YTK-39: a graph sends each call when those that it needs have landed.
    @Test func aGraphFliesInTheOrderOfItsDependencies() async throws {
        var graph = RequestGraph()
        let first = graph.add(GetUser(id: 1))
        let second = graph.add(after: first) { GetUser(id: $0.id + 1) }
        let third = graph.add(after: first) { GetUser(id: $0.id + 2) }
        let last = graph.add(after: second, third) { GetUser(id: $0.id * $1.id) }
        let failing = graph.add(after: last) { _ in GetUser(id: 9) }
        let skipped = graph.add(after: failing) { GetUser(id: $0.id) }
        let flown = try await Client(stub).send(graph)
        #expect(try flown[last].id == 6)
        #expect(ids(stub).first == "1" && Set(ids(stub)[1...2]) == ["2", "3"] && ids(stub).dropFirst(3) == ["6", "9"])
        #expect((flown.result(of: skipped).error as? TarmacError)?.code == .dependencyFailed)
    }

    // YTK-B7: a chain whose owner is gone keeps nothing alive, nor does one whose landing nobody looks at; an empty batch lands at once and
    // is let go.
    @Test func aGroupWithoutAListenerEnds() async throws {
        final class Token: Sendable {}
        var token: Token? = Token()
        weak let kept = token
        let client = Client(stub)
        stub.hold()
        var owner: GroupScreen? = GroupScreen()
        let handle = client.start(
            RequestChain(GetUser(id: 1)).then { [token] user in
                _ = token
                return GetUser(id: user.id)
            }, owner: owner!
        ) { $0.landed($1) }
        try await stub.received()
        (token, owner) = (nil, nil)
        await eventually { handle.hasLanded }
        await eventually { kept == nil }
        #expect(try await client.send(Batch(allOrNothing: [GetUser]())).isEmpty)
        stub.release()
        var (silent, empty): (Token?, Token?) = (Token(), Token())
        weak let keptBySilent = silent
        weak let keptByEmpty = empty
        client.start(
            RequestChain(GetUser(id: 1)).then { [silent] user in
                _ = silent
                return GetUser(id: user.id + 1)
            }, owner: screen
        ) { _, _ in }
        client.start(Batch([GetUser]()), owner: screen) { [empty] _, _ in _ = empty }
        (silent, empty) = (nil, nil)
        await eventually { keptBySilent == nil && keptByEmpty == nil }
        #expect(ids(stub) == ["1", "1", "2"])
    }

    // YTK-B8, YTK-B15: a held batch that is started twice sends once, and the member that fails is told of once.
    @Test func aBatchStartedTwiceFliesOnce() async throws {
        let client = Client(stub) { $0.hooks = [hooks("call")] }
        stub.hold()
        let call = client.call(Batch(allOrNothing: [GetUser(id: 9), GetUser(id: 9)]), owner: screen, landed: GroupScreen.allLanded)
        call.start()
        call.start()
        try await stub.received(count: 2)
        stub.release()
        await eventually { !screen.landings.isEmpty }
        for _ in 0..<50 { await Task.yield() }
        #expect(stub.requests.count == 2 && screen.landings == ["unacceptableStatus"])
        #expect(told.withLock { $0 }.filter { $0 == "call willStop" }.count == 2)
        #expect(told.withLock { $0 }.filter { $0 == "call didStop" }.count == 2)
    }

    // YTK-19, YTK-21: will start, then will stop before the owner is told of success or failure, and did stop after it; of several
    // accessories each is told, the start's own too.
    @Test(arguments: [(1, "success"), (9, "failure")]) func accessoriesAreToldAroundTheLanding(id: Int, end: String) async throws {
        let (client, told) = (Client(stub) { $0.hooks = [hooks("spinner")] }, told)
        let handle = client.start(GetUser(id: id), owner: screen) {
            $0.hooks = [hooks("log")]
        } landed: { _, result in
            told.withLock { $0.append(result.error is TarmacError ? "failure" : "success") }
        }
        await eventually { handle.hasLanded && told.withLock({ $0.count }) >= 7 }
        #expect(
            told.withLock { $0 } == [
                "spinner willStart", "log willStart", "spinner willStop", "log willStop", end, "spinner didStop", "log didStop",
            ])
    }

    // XF-B1: a batch completes when its last call has landed, not before.
    @Test func aBatchCompletesWithItsLastCall() async throws {
        let client = Client(stub)
        stub.hold()
        let handle = client.start(Batch([GetUser(id: 1), GetUser(id: 9)]), owner: screen) { screen, result in
            screen.told("\((try? result.get())?.count ?? 0)", result.error)
        }
        try await stub.received(count: 2)
        stub.release(1)
        for _ in 0..<50 { await Task.yield() }
        #expect(!handle.hasLanded && screen.landings.isEmpty)
        stub.release()
        await eventually { !screen.landings.isEmpty }
        #expect(screen.landings == ["2"])
    }

    // YTK-B9: where each call lands for itself, no failure hides another result.
    @Test func oneFailureHidesNoOther() async throws {
        let outcomes = try await Client(stub).send(Batch([GetUser(id: 1), GetUser(id: 9), GetUser(id: 2)]))
        #expect(outcomes.map { try? $0.get().id } == [1, nil, 2])
        #expect((outcomes[1].error as? TarmacError)?.status == .notFound)
        // Only these two forms are all or nothing.
        let list = await #expect(throws: TarmacError.self) { try await Client(stub).send(Batch(allOrNothing: [GetUser(id: 1), GetUser(id: 9)])) }
        let several = await #expect(throws: TarmacError.self) { try await Client(stub).send(Batch(GetUser(id: 1), GetUser(id: 9))) }
        #expect(list?.status == .notFound && several?.status == .notFound)
    }

    // YTK-B20, BQ-B2: a call is registered before it is sent: one that lands at once is not lost, and can be cancelled from outside.
    @Test func aCallThatLandsAtOnceIsKnownBeforeItIsSent() async throws {
        let (client, cancelled) = (Client(stub), Locked<[Bool]>([]))
        stub.hold()
        for id in 1...5 { client.start(GetUser(id: id), owner: screen) { _, result in cancelled.withLock { $0.append(result.error is CancellationError) } } }
        client.cancelAll()
        await eventually { cancelled.withLock { $0.count } >= 5 }
        #expect(cancelled.withLock { $0 } == Array(repeating: true, count: 5))
        stub.release()
        let handle = client.start(GetUser(id: 1), owner: screen) { $0.landed($1) }
        await eventually { handle.hasLanded }
        #expect(screen.landings == ["1"])
    }

    // YTK-B7, YTK-B21: a chain whose steps come from the cache lands, and is let go.
    @Test func aChainOutOfTheCacheIsLetGo() async throws {
        final class Token: Sendable {}
        let client = Client(stub) { $0.cache = .ttl(.seconds(180)) }
        for id in [1, 2] { _ = try await client.send(GetUser(id: id)) }
        var token: Token? = Token()
        weak let kept = token
        let handle = client.start(
            RequestChain(GetUser(id: 1)).then { [token] user in
                _ = token
                return GetUser(id: user.id + 1)
            }, owner: screen
        ) { $0.landed($1) }
        token = nil
        await eventually { handle.hasLanded }
        #expect(screen.landings == ["2"] && stub.requests.count == 2)
        #expect(screen.lifetime.callsInFlight == 0)
        await eventually { kept == nil }
    }

    // YTK-B7, YTK-B22: a chain, a batch of either kind and a graph without a call land at once; the hooks of the chain hear of it as its
    // owner does.
    @Test func anEmptyGroupLands() async throws {
        let client = Client(stub)
        let chain = RequestChain<Void>().with { $0.hooks = [hooks("whole")] }
        let handles = [
            client.start(chain, owner: screen) { screen, result in screen.told("chain", result.error) },
            client.start(Batch([GetUser]()), owner: screen) { screen, result in screen.told("batch", result.error) },
            client.start(Batch(allOrNothing: [GetUser]()), owner: screen) { screen, result in screen.told("all or nothing", result.error) },
            client.start(RequestGraph(), owner: screen) { screen, result in screen.told("graph", result.error) },
        ]
        await eventually { handles.allSatisfy(\.hasLanded) && told.withLock({ $0.count }) >= 3 }
        #expect(screen.landings.sorted() == ["all or nothing", "batch", "chain", "graph"] && stub.requests.isEmpty)
        #expect(told.withLock { $0 } == ["whole willStart", "whole willStop", "whole didStop"])
        // So do those that are awaited.
        #expect(try await client.send(Batch(allOrNothing: [GetUser]())).isEmpty)
        #expect(try await client.send(Batch([GetUser]())).isEmpty)
        #expect(stub.requests.isEmpty)
    }
}

/// An owner that keeps what lands on it, as words.
@MainActor
private final class GroupScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    private(set) var landings: [String] = []
    nonisolated init() {}

    func landed(_ result: Result<User, any Error>) {
        switch result {
        case .success(let user): landings.append("\(user.id)")
        case .failure(let error): landings.append((error as? TarmacError).map { "\($0.code)" } ?? "cancelled")
        }
    }

    func allLanded(_ result: Result<[User], any Error>) { landed(result.map { $0[0] }) }

    func told(_ name: String, _ error: (any Error)?) { landings.append(error.map { "\(name) failed: \($0)" } ?? name) }
}
