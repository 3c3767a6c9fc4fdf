import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@MainActor
@Suite("XFNetwork: batches", .timeLimit(.minutes(5)))
struct XFBatchTests {
    // XF-3, XF-13: each is counted as it lands, and what succeeded stands beside what failed.
    @Test func aBatchTellsWhatSucceededAndWhatFailed() async throws {
        let stub = StubTransport { request in
            request.url.path.hasSuffix("/2") ? .status(.notFound) : .json(#"{"id":7,"name":"ann"}"#)
        }
        let finished = Locked<[Int]>([])
        let outcomes = try await Client(stub).send(
            Batch([GetUser(id: 1), GetUser(id: 2), GetUser(id: 3)]),
            progress: { progress in
                #expect(progress.total == 3)
                finished.withLock { $0.append(progress.completed) }
            })
        #expect(outcomes.map { $0.error == nil } == [true, false, true])
        #expect(finished.withLock { $0 } == [1, 2, 3])
        #expect(try await Client(stub).send(Batch([GetUser]())).isEmpty)
    }

    // XF-13: each call of a batch has its own handling, and the end of the batch ends them all.
    @Test func aBatchCancelsAllAndEachHasItsOwnHandling() async throws {
        struct Told: Endpoint, Encodable {
            typealias Value = User
            static let route: Route = .get("/users/{id}")
            var id: Int
            let told: Locked<[Int]>
            enum CodingKeys: String, CodingKey { case id }
            func didLand(_ landed: Landed<User>) async throws { told.withLock { $0.append(id) } }
        }
        let (stub, told) = (StubTransport.user, Locked<[Int]>([]))
        let client = Client(stub)
        let calls = (1...3).map { Told(id: $0, told: told) }
        #expect(try await client.send(Batch(calls)).allSatisfy { $0.error == nil })
        #expect(told.withLock { $0.sorted() } == [1, 2, 3])
        stub.hold()
        let batch = Task { try await client.send(Batch(calls)) }
        try await stub.received(count: 6)
        batch.cancel()
        #expect(try await batch.value.map { $0.error is CancellationError } == [true, true, true])
        try await stub.isIdle()
        #expect(told.withLock { $0.count } == 3)
    }

    // XF-13, YTK-B9: APIs of several kinds in one batch: each is counted and has its own result, and its own handling hears of its failure too.
    @Test func aBatchOfSeveralKindsTellsWhatFailed() async throws {
        struct Told: Endpoint, Encodable {
            typealias Value = User
            static let route: Route = .get("/users/{id}")
            var id: Int
            let told: Locked<[String]>
            enum CodingKeys: String, CodingKey { case id }
            func configure(_ options: inout Options) {
                options.hooks = [
                    CallHooks(willStop: { [told, id] _, outcome in
                        let word = if case .failed = outcome { "failed" } else { "landed" }
                        told.withLock { $0.append("\(id) \(word)") }
                    })
                ]
            }
        }
        let stub = StubTransport { request in
            request.url.path.hasSuffix("/2") ? .status(.notFound) : .json(#"{"id":7,"name":"ann"}"#)
        }
        let (told, finished) = (Locked<[String]>([]), Locked<[Int]>([]))
        let (one, two, three) = try await Client(stub).send(
            Batch(outcomesOf: Told(id: 1, told: told), Told(id: 2, told: told), InlineEndpoint.get("/items", as: JSON.self)),
            progress: { progress in
                #expect(progress.total == 3)
                finished.withLock { $0.append(progress.completed) }
            })
        #expect(try one.get().id == 7 && three.get()["name"].string == "ann")
        #expect((two.error as? TarmacError)?.code == .unacceptableStatus)
        #expect(finished.withLock { $0 } == [1, 2, 3])
        #expect(told.withLock { $0.sorted() } == ["1 landed", "2 failed"])
        // The end of the batch ends them all, each with an outcome of its own.
        let held = StubTransport.user, waiting = Client(held)
        held.hold()
        let batch = Task { try await waiting.send(Batch(outcomesOf: GetUser(id: 1), InlineEndpoint.get("/items", as: JSON.self))) }
        try await held.received(count: 2)
        batch.cancel()
        let (user, items) = try await batch.value
        #expect(user.error is CancellationError && items.error is CancellationError)
        try await held.isIdle()
    }

    // XF-B2: a batch is a value: run again it sends again, and each run tells its members once.
    @Test func aBatchMayBeRunAgain() async throws {
        struct Told: Endpoint, Encodable {
            typealias Value = User
            static let route: Route = .get("/users/{id}")
            var id: Int
            let told: Locked<[Int]>
            enum CodingKeys: String, CodingKey { case id }
            func didLand(_ landed: Landed<User>) async throws { told.withLock { $0.append(id) } }
        }
        let (stub, told) = (StubTransport.user, Locked<[Int]>([]))
        let client = Client(stub)
        let batch = Batch([Told(id: 1, told: told), Told(id: 2, told: told)])
        for run in 1...3 {
            #expect(try await client.send(batch).count == 2)
            #expect(stub.requests.count == 2 * run && told.withLock { $0.count } == 2 * run)
        }
    }

    // XF-B2: a batch that has run keeps nothing alive.
    @Test func aBatchThatHasRunLetsGo() async throws {
        let client = Client(.user)
        var token: Token? = Token()
        weak let kept = token
        var batch: Batch<[User]>? = Batch(allOrNothing: [1, 2].map { [token] in Holding(id: $0, token: token!) })
        token = nil
        for _ in 0..<2 {
            let users = try await client.send(#require(batch))
            #expect(users.count == 2)
        }
        batch = nil
        await eventually { kept == nil }
    }

    // XF-B2: so does one that was held and started again: its owner hears of each start once.
    @MainActor @Test func aBatchThatWasStartedAgainLetsGo() async throws {
        @MainActor final class Holder: LifetimeOwner {
            nonisolated let lifetime = Lifetime()
            var landings = 0
            func landed(_ result: Result<[User], any Error>) { landings += 1 }
        }
        let (client, holder) = (Client(.user), Holder())
        var token: Token? = Token()
        weak let kept = token
        var call: Call<Batch<[User]>>? = client.call(
            Batch(allOrNothing: [1, 2].map { [token] in Holding(id: $0, token: token!) }), owner: holder, landed: Holder.landed)
        token = nil
        for landing in 1...2 {
            call?.start()
            await eventually { holder.landings >= landing }
        }
        for _ in 0..<50 { await Task.yield() }
        #expect(holder.landings == 2 && kept != nil)
        call = nil
        await eventually { kept == nil }
    }

    private final class Token: Sendable {}

    private struct Holding: Endpoint, Encodable {
        typealias Value = User
        static let route: Route = .get("/users/{id}")
        var id: Int
        let token: Token
        enum CodingKeys: String, CodingKey { case id }
    }
}
