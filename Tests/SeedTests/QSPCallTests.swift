import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacTesting
import Testing

/// Notes what it presents, beside what others note.
@MainActor
private final class OrderBoard: Presenter {
    private let order: Locked<[String]>
    init(_ order: Locked<[String]>) { self.order = order }

    func loadingBegan(_ loading: Loading) {}
    func loadingEnded(_ loading: Loading) { order.withLock { $0.append("ended") } }
    func present(_ error: PresentedError) { order.withLock { $0.append("prompt") } }
}

@MainActor
@Suite("QSPNetworking: calls and landings", .timeLimit(.minutes(5)))
struct QSPCallTests {
    // QSP-25, QSP-26, QSP-27, LM-2: one expression on a client the app holds, and one result.
    @Test func aCallTakesParametersPathOwnerAndCompletion() async throws {
        let (stub, screen) = (StubTransport.user, Screen())
        let client = Client(stub)
        let result = await landing { landed in
            client.start(.post("/users", ["name": "ann"], as: User.self), owner: screen) { landed($1) }
        }
        #expect(try result.get().name == "ann")
    }

    // QSP-13, QSP-31: the two short ways make the requests that an endpoint of the same parts makes, with the same settings, and land the same.
    @Test func threeWaysToCallLandTheSame() async throws {
        struct Post: Endpoint, Encodable {
            typealias Value = User
            static let route: Route = .post("/users")
            var id: Int
        }
        struct Get: Endpoint, Encodable {
            typealias Value = User
            static let route: Route = .get("/users")
            var id: Int
        }
        let stub = StubTransport.enveloped(#"{"status":1,"data":{"id":7,"name":"ann"}}"#)
        let client = Client(stub) {
            $0.headers["X-App"] = "1"
            $0.envelope = .status
        }
        let users = [
            try await client.post("/users", ["id": 7], as: User.self), try await client.get("/users", ["id": 7], as: User.self),
            try await client.send(Post(id: 7)), try await client.send(Get(id: 7)),
        ]
        #expect(users.allSatisfy { $0 == User(id: 7, name: "ann") })
        let requests = stub.requests
        #expect(requests.map(\.method) == [.post, .get, .post, .get])
        #expect(requests.map(\.url.string) == ["users", "users?id=7", "users", "users?id=7"].map { "https://s.example/v1/\($0)" })
        #expect(requests.map(\.text) == [#"{"id":7}"#, "", #"{"id":7}"#, ""])
        #expect(requests.allSatisfy { $0[field: "X-App"] == "1" })
        #expect(requests[0].headers == requests[2].headers && requests[1].headers == requests[3].headers)
    }

    // QSP-32, QSP-38, XF-3, XF-4: a handle cancels what flies, and nothing else.
    @Test func aHandleCancelsOnlyWhatFlies() async throws {
        let (stub, screen) = (StubTransport.user, Screen())
        let client = Client(stub)
        var handle: CallHandle?
        let landed: Result<User, any Error> = await landing { done in
            handle = client.start(GetUser(id: 7), owner: screen) { done($1) }
        }
        handle?.cancel()
        #expect(try landed.get().id == 7)
        // What has landed is not cancelled.
        #expect(handle?.hasLanded == true && handle?.isCancelled == false)

        stub.hold()
        let flying = client.start(GetUser(id: 7), owner: screen) { $0.userLanded($1) }
        try await stub.received(count: 2)
        #expect(!flying.hasLanded && !flying.isCancelled)
        flying.cancel()
        flying.cancel()
        await eventually { !screen.landings.isEmpty }
        try await stub.isIdle()
        // It has landed as cancelled, and another cancellation changes nothing.
        flying.cancel()
        for _ in 0..<50 { await Task.yield() }
        #expect(screen.landings.count == 1 && screen.landings[0].error is CancellationError && flying.isCancelled && flying.hasLanded)
    }

    // QSP-38: a handle that is released cancels nothing: the owner does that.
    @Test func aReleasedHandleCancelsNothing() async throws {
        let (stub, screen) = (StubTransport.user, Screen())
        let client = Client(stub)
        stub.hold()
        weak var released: CallHandle?
        do {
            let handle = client.start(GetUser(id: 7), owner: screen) { $0.userLanded($1) }
            released = handle
        }
        try await stub.received()
        #expect(stub.inFlight == 1)
        stub.release()
        await eventually { !screen.landings.isEmpty }
        #expect(try screen.landings[0].get().id == 7)
        await eventually { released == nil }
    }

    // QSP-35, QSP-36, QSP-40, QSP-B3, LM-10: loading ends, then the prompt, then the landing; a failure of the data or of the network as a
    // success.
    @Test(
        arguments: [
            (#"{"status":1,"data":{"id":7,"name":"ann"}}"#, ["began", "ended", "landed"], nil),
            (#"{"status":0,"message":"sold out"}"#, ["began", "ended", "data: sold out", "landed"], .envelopeFailure),
            (nil, ["began", "ended", "network", "landed"], .connectionRefused),
        ] as [(String?, [String], TarmacError.Code?)])
    func aLandingHasAnOrder(body: String?, expected: [String], code: TarmacError.Code?) async {
        let (board, screen) = (Board(), Screen())
        let stub = StubTransport { _ in
            guard let body else { throw TarmacError(.connectionRefused, phase: .connecting, "refused") }
            return .json(body)
        }
        let client = Client(stub) {
            $0.envelope = .status
            $0.presenter = board
        }
        let result: Result<User, any Error> = await landing { landed in
            client.start(GetUser(id: 7), owner: screen) {
                board.note("landed")
                // The owner has let go of the handle.
                #expect(screen.lifetime.callsInFlight == 0)
                landed($1)
            }
        }
        #expect(board.lines.map { $0.hasPrefix("network: ") ? "network" : $0 } == expected)
        #expect((result.error as? TarmacError)?.code == code)
        #expect((try? result.get()) == (code == nil ? User(id: 7, name: "ann") : nil))
    }

    // QSP-35: the one verdict and the log come first, then the end of loading, the prompt of a failure, and the landing.
    @Test(
        arguments: [
            (#"{"status":0,"message":"sold out"}"#, ["judged", "log", "ended", "prompt", "landed"]),
            (#"{"status":1,"data":{"id":7,"name":"ann"}}"#, ["judged", "log", "ended", "landed"]),
        ])
    func theLogComesBeforeThePrompt(body: String, expected: [String]) async {
        let (order, screen) = (Locked<[String]>([]), Screen())
        let envelope = Envelope(
            success: {
                order.withLock { $0.append("judged") }
                return $0["status"] == 1
            }, code: "code", message: "message", payload: "data")
        let client = Client(.enveloped(body)) {
            $0.envelope = envelope
            $0.presenter = OrderBoard(order)
            $0.interceptors = [MessageLogger { _ in order.withLock { $0.append("log") } }]
        }
        let _: Result<User, any Error> = await landing { landed in
            client.start(GetUser(id: 7), owner: screen) {
                order.withLock { $0.append("landed") }
                landed($1)
            }
        }
        #expect(order.withLock { $0 } == expected)
    }

    // QSP-37: URL and result of each landing; QSP-B11: without the secrets.
    @Test func everyLandingIsLoggedWithoutItsSecrets() async throws {
        let lines = Locked<[String]>([])
        let client = Client(.user) { $0.observers = [ConsoleLogger { line in lines.withLock { $0.append(line) } }] }
        try await client.get("/users", ["page": 2, "token": "hunter2"]) { $0.headers["Authorization"] = "Bearer hunter2" }
        let log = lines.withLock { $0 }.joined(separator: "\n")
        #expect(log.contains("https://s.example/v1/users?page=2"))
        #expect(log.contains("← 200"))
        #expect(!log.contains("hunter2"))
    }

    // QSP-39, QSP-40: an owner has any number of calls, and none of those that have landed.
    @Test func anOwnerKeepsNoHandleOfWhatHasLanded() async throws {
        let (stub, screen) = (StubTransport.user, Screen())
        let client = Client(stub)
        stub.hold()
        async let landed: [Result<User, any Error>] = withTaskGroup(of: Result<User, any Error>.self) { group in
            for _ in 0..<20 {
                group.addTask { await landing { done in client.start(GetUser(id: 7), owner: screen) { done($1) } } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try await stub.received(count: 20)
        #expect(screen.lifetime.callsInFlight == 20)
        stub.release()
        #expect(await landed.count == 20)
        #expect(screen.lifetime.callsInFlight == 0)
        // A cancelled call is let go of as the others are.
        stub.hold()
        let cancelled: Result<User, any Error> = await landing { done in
            let handle = client.start(GetUser(id: 7), owner: screen) { done($1) }
            #expect(screen.lifetime.callsInFlight == 1)
            handle.cancel()
        }
        #expect(cancelled.error is CancellationError)
        #expect(screen.lifetime.callsInFlight == 0)
        stub.release()
    }

    // QSP-39: an owner that goes takes all of its calls along, and none of them lands.
    @Test func anOwnerTakesAllItsCallsAlong() async throws {
        let (stub, landings) = (StubTransport.user, Locked(0))
        let client = Client(stub)
        stub.hold()
        var screen: Screen? = Screen()
        let handles = (0..<20).map { id in client.start(GetUser(id: id), owner: screen!) { _, _ in landings.withLock { $0 += 1 } } }
        try await stub.received(count: 20)
        screen = nil
        try await stub.isIdle()
        stub.release()
        await eventually { handles.allSatisfy(\.hasLanded) }
        for _ in 0..<50 { await Task.yield() }
        #expect(landings.withLock { $0 } == 0)
    }

    // QSP-17, QSP-18, QSP-26, QSP-38, QSP-41: leaving right after calling, with the handle released, cancels the call, which depends on its
    // owner; QSP-B6, BQ-B7, YTK-B6, LM-B2, XF-B11: nothing keeps the owner.
    @Test func aScreenThatIsLeftEndsItsCallOnTheWire() async throws {
        let (stub, landings) = (StubTransport.user, Locked(0))
        let client = Client(stub)
        stub.hold()
        var screen: Screen? = Screen()
        weak let left = screen
        // The owner is a parameter: what the closure uses of it is not captured.
        client.start(GetUser(id: 7), owner: screen!) { owner, result in
            landings.withLock { $0 += 1 }
            owner.userLanded(result)
        }
        try await stub.received()
        screen = nil
        try await stub.isIdle()
        #expect(left == nil)
        #expect(landings.withLock { $0 } == 0)
    }

    // QSP-41: the screen goes in the turn in which it called.
    @Test func aScreenThatIsLeftInTheSameTurnHearsNothing() async throws {
        let (stub, landings) = (StubTransport.user, Locked(0))
        let client = Client(stub)
        stub.hold()
        var screen: Screen? = Screen()
        weak let left = screen
        let handle = client.start(GetUser(id: 7), owner: screen!) { _, _ in landings.withLock { $0 += 1 } }
        screen = nil
        #expect(left == nil)
        await eventually { handle.hasLanded }
        try await stub.isIdle()
        stub.release()
        for _ in 0..<50 { await Task.yield() }
        #expect(landings.withLock { $0 } == 0)
    }

    // QSP-B6, BQ-B7, XF-B13: a closure that captures its owner all the same keeps it until the call lands, and no longer.
    @Test func aClosureThatCapturesItsOwnerKeepsItUntilTheLanding() async throws {
        let (stub, landings) = (StubTransport.user, Locked(0))
        let client = Client(stub)
        stub.hold()
        var screen: Screen? = Screen()
        weak let left = screen
        let handle = client.start(GetUser(id: 7), owner: screen!) { [screen] _, result in
            landings.withLock { $0 += 1 }
            screen?.userLanded(result)
        }
        try await stub.received()
        screen = nil
        for _ in 0..<50 { await Task.yield() }
        #expect(left != nil && stub.inFlight == 1 && !handle.hasLanded)
        stub.release()
        await eventually { handle.hasLanded }
        await eventually { left == nil }
        #expect(landings.withLock { $0 } == 1)
    }

    // QSP-17: a call that shall outlive its screen belongs to something that does.
    @Test func aCallOfALongerLivedOwnerGoesOn() async throws {
        let (stub, app) = (StubTransport.user, Screen())
        let client = Client(stub)
        stub.hold()
        async let landed: Result<User, any Error> = landing { done in client.start(GetUser(id: 7), owner: app) { done($1) } }
        try await stub.received()
        stub.release()
        #expect(try await landed.get().id == 7)
    }

    // QSP-B8, BQ-B2: handles come and go from many threads.
    @Test func handlesOfOneOwnerMayComeFromAnywhere() async throws {
        final class Model: LifetimeOwner, Sendable { let lifetime = Lifetime() }
        let (client, model, landed) = (Client(.user), Model(), Watched(0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask { client.startAnywhere(GetUser(id: 7), owner: model) { _, _ in landed.update { $0 += 1 } } }
            }
        }
        try await landed.wait { $0 == 200 }
        await eventually { model.lifetime.callsInFlight == 0 }
    }

    // QSP-B4: the failure of an envelope is an error by type; QSP-B3: prompt and landing read the one verdict.
    @Test func aFailureOfTheBusinessIsAnError() async throws {
        let (board, judged) = (Board(), Locked(0))
        let envelope = Envelope(
            success: {
                judged.withLock { $0 += 1 }
                return $0["status"] == 1
            }, code: "code", message: "message", payload: "data")
        let client = Client(.enveloped(#"{"status":0,"code":5001,"message":"sold out"}"#)) {
            $0.envelope = envelope
            $0.presenter = board
        }
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
        #expect(error?.code == .envelopeFailure)
        #expect(error?.serverCode == "5001")
        #expect(error?.userMessage == "sold out" && board.lines.last == "data: sold out")
        #expect(judged.withLock { $0 } == 1)
    }

    // QSP-B11, YTK-B14: two clients share nothing; a setting is a value and is read as it was given.
    @Test func twoClientsKnowNothingOfEachOther() async throws {
        let (first, second) = (StubTransport.user, StubTransport.user)
        let one = Client(first) { $0.headers["X-App"] = "one" }
        let two = Client(second) { $0.retry = .never }
        _ = try await one.send(GetUser(id: 7))
        _ = try await two.send(GetUser(id: 8))
        #expect(first.requests.first?[field: "X-App"] == "one")
        #expect(second.requests.first?[field: "X-App"] == nil)
        await one.shutdown()
        #expect(try await two.send(GetUser(id: 8)).id == 7)
    }
}
