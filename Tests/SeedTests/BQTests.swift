import Dispatch
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacJSON
import TarmacTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private actor Sessions {
    private(set) var saved: [String] = []
    func save(_ token: String) { saved.append(token) }
}

private struct Session: Codable, Sendable { var token: String }

/// What login and automatic login share, in one place.
private struct Login: Endpoint, Encodable {
    typealias Value = Session
    static let route: Route = .post("/login")
    var name: String
    @Secret var pwd: String
    let sessions: Sessions

    enum CodingKeys: String, CodingKey { case name, pwd }
    func didLand(_ landed: Landed<Session>) async throws { await sessions.save(landed.value.token) }
}

@MainActor
@Suite("BQRequest", .timeLimit(.minutes(5)))
struct BQTests {
    // BQ-1, BQ-3, BQ-6, BQ-7, BQ-8, BQ-13, LM-1: one type says URL, method, parameters and shared handling for two screens and for an
    // awaited call.
    @Test func loginAndAutomaticLoginShareOneType() async throws {
        let (stub, sessions) = (StubTransport { _ in .json(#"{"token":"t"}"#) }, Sessions())
        let client = Client(stub)
        var tokens: [String] = []
        for screen in [Screen(), Screen()] {
            let tapped: Result<Session, any Error> = await landing { landed in
                client.start(Login(name: "ann", pwd: "runway", sessions: sessions), owner: screen) { landed($1) }
            }
            tokens.append(try tapped.get().token)
        }
        let automatic = try await client.send(Login(name: "ann", pwd: "runway", sessions: sessions))
        #expect(tokens == [automatic.token, automatic.token])
        #expect(await sessions.saved == ["t", "t", "t"])
        #expect(stub.requests.map(\.method) == [.post, .post, .post])
        #expect(stub.requests.map(\.url.path) == ["/v1/login", "/v1/login", "/v1/login"])
        #expect(Set(stub.requests.compactMap(\.text)) == [#"{"name":"ann","pwd":"runway"}"#])
    }

    // BQ-8: the handling that all callers share comes after the decoding, of one value too, and sees the answer: data, JSON and response.
    @Test func sharedHandlingSeesTheWholeAnswer() async throws {
        struct Count: Endpoint {
            typealias Value = Int
            static let route: Route = .get("/count")
            let seen: Locked<[String]>
            func didLand(_ landed: Landed<Int>) async throws {
                let text = landed.response.body.collected.map { String(decoding: $0.array, as: UTF8.self) } ?? ""
                let (url, json) = (landed.response.url.string, try landed.json.int ?? 0)
                seen.withLock { $0.append("\(url) \(landed.status.code) \(landed.headers[.eTag] ?? "") \(text) \(json) \(landed.value)") }
            }
        }
        let seen = Locked<[String]>([])
        let client = Client(StubTransport { _ in .json("7", headers: [.eTag: "\"1\""]) })
        #expect(try await client.send(Count(seen: seen)) == 7)
        #expect(seen.withLock { $0 } == ["https://s.example/v1/count 200 \"1\" 7 7 7"])
    }

    // BQ-8: the handling that all callers share may refuse an answer; its error is that of the call.
    @Test func sharedHandlingMayRefuseAnAnswer() async throws {
        struct Banned: Error {}
        struct Visit: Endpoint {
            typealias Value = User
            static let route: Route = .get("/users/7")
            func didLand(_ landed: Landed<User>) async throws { if landed.value.name == "ann" { throw Banned() } }
        }
        let (client, screen) = (Client(.user), Screen())
        let landed: Result<User, any Error> = await landing { done in client.start(Visit(), owner: screen) { done($1) } }
        let error = landed.error as? TarmacError
        #expect(error?.code == .callerFailed && error?.cause(as: Banned.self) != nil)
    }

    // BQ-3, BQ-6: an endpoint may say its route for each value; a type without a route is none (Tests/Consumers/Refused).
    @Test func eachValueMayHaveARouteOfItsOwn() async throws {
        struct Feed: Endpoint {
            typealias Value = User
            static let route: Route = .get("/feed")
            var section: String?
            var route: Route { section.map { .post("/feed/\($0)") } ?? Self.route }
        }
        let stub = StubTransport.user
        for section in [nil, "new"] { _ = try await Client(stub).send(Feed(section: section)) }
        #expect(stub.requests.map { "\($0.method) \($0.url.path)" } == ["GET /v1/feed", "POST /v1/feed/new"])
    }

    // BQ-1, BQ-2: whoever owns the call ends it by going.
    @Test func aHeldCallEndsWithItsOwner() async throws {
        @MainActor final class LoginScreen: LifetimeOwner {
            nonisolated let lifetime = Lifetime()
            var call: Call<GetUser>?
            func landed(_ result: Result<User, any Error>) { Issue.record("it landed") }
        }
        let stub = StubTransport.user
        let client = Client(stub)
        stub.hold()
        var screen: LoginScreen? = LoginScreen()
        weak let left = screen
        screen?.call = client.call(GetUser(id: 7), owner: screen!, landed: LoginScreen.landed)
        weak let call = screen?.call
        screen?.call?.start()
        try await stub.received()
        #expect(call?.isFlying == true)
        // YTK-B6: a call that its screen holds keeps no screen: it ends with it, and nobody has to cancel in a `deinit`.
        screen = nil
        // LM-B2, XF-B13: a call that its screen holds keeps no owner while it flies.
        #expect(left == nil)
        try await stub.isIdle()
        // The answer was held to the end: the call goes without one.
        await eventually { call == nil }
    }

    // BQ-2: a call that is let go of while its owner stays is not cancelled: the owner decides, and hears of the landing.
    @Test func aCallThatIsLetGoOfFliesForItsOwner() async throws {
        let (stub, screen) = (StubTransport.user, Screen())
        let client = Client(stub)
        stub.hold()
        var call: Call<GetUser>? = client.call(GetUser(id: 7), owner: screen, landed: Screen.userLanded)
        call?.start()
        try await stub.received()
        call = nil
        for _ in 0..<50 { await Task.yield() }
        #expect(stub.inFlight == 1 && screen.landings.isEmpty)
        stub.release()
        await eventually { !screen.landings.isEmpty }
        #expect(try screen.landings[0].get().id == 7)
    }

    // BQ-2: a call that waits for a slot is never sent once its owner is gone.
    @Test func aWaitingCallOfAnOwnerThatIsGoneIsNotSent() async throws {
        let (stub, other, waiting) = (StubTransport.user, Screen(), Watched(0))
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], concurrency: 1) {
            $0.observers = [.closure { event in if case .queued = event.kind { waiting.update { $0 += 1 } } }]
        }
        stub.hold()
        client.start(GetUser(id: 1), owner: other) { $0.userLanded($1) }
        try await stub.received()
        var screen: Screen? = Screen()
        let handle = client.start(GetUser(id: 2), owner: screen!) { _, _ in Issue.record("it landed") }
        try await waiting.wait { $0 == 1 }
        screen = nil
        await eventually { handle.hasLanded }
        stub.release()
        await eventually { !other.landings.isEmpty }
        client.start(GetUser(id: 3), owner: other) { $0.userLanded($1) }
        await eventually { other.landings.count >= 2 }
        #expect(stub.requests.map(\.url.path) == ["/users/1", "/users/3"])
    }

    // BQ-4, BQ-12, LM-5; BQ-B4, LM-B1: the result stays for whoever looks later, until the next start.
    @Test func theResultStaysUntilTheNextStart() async throws {
        let (client, screen) = (Client(.user), Screen())
        let call = client.call(GetUser(id: 7), owner: screen, landed: Screen.userLanded)
        call.start()
        await eventually { !screen.landings.isEmpty }
        for _ in 0..<50 { await Task.yield() }
        #expect(try call.result?.get().id == 7)
        #expect(call.landed?.status == .ok)
        call.start()
        #expect(call.result == nil && call.landed == nil && call.error == nil && !call.hasSucceeded)
        await eventually { screen.landings.count >= 2 }
        #expect(try call.result?.get().id == 7)
    }

    // BQ-5, BQ-12, XF-4: a call that is held keeps its task no longer than it flies.
    @Test func aHeldCallKeepsNoTask() async throws {
        let (stub, screen) = (StubTransport.user, Screen())
        let client = Client(stub)
        let call = client.call(GetUser(id: 7), owner: screen, landed: Screen.userLanded)
        stub.hold()
        let handle = try #require(call.start())
        #expect(handle.holdsTask && call.isFlying)
        stub.release()
        await eventually { !screen.landings.isEmpty }
        #expect(!handle.holdsTask && !call.isFlying)
        #expect(try call.result?.get().id == 7)
    }

    // BQ-5, YTK-22: a call that has landed is kept by nobody.
    @Test func aLandedCallIsLetGo() async throws {
        let (client, screen) = (Client(.user), Screen())
        var call: Call<GetUser>? = client.call(GetUser(id: 7), owner: screen, landed: Screen.userLanded)
        weak let landed = call
        call?.start()
        call = nil
        await eventually { !screen.landings.isEmpty }
        await eventually { landed == nil }
    }

    // BQ-9; BQ-B8: the environment is the client's own; LM-B4: the same call goes to the host of each.
    @Test func environmentsSwitchForOneClient() async throws {
        let stub = StubTransport.user
        let service = Service("s", hosts: [.production: "https://live.example", .test: "https://test.example", .local: "http://127.0.0.1:8080"])
        let (client, other) = (Client(transport: .stub(stub), services: [service]), Client(transport: .stub(stub), services: [service]))
        for environment in [ServiceEnvironment.production, .test, .local] {
            client.environment = environment
            try await client.get("/where")
        }
        try await other.get("/where")
        #expect(stub.requests.map(\.url.host) == ["live.example", "test.example", "127.0.0.1", "live.example"])
    }

    // BQ-10, XF-12: on the main actor, which the compiler holds the closure to; BQ-B8: what crosses threads is Sendable.
    @Test func aLandingIsOnTheMainActor() async throws {
        let (client, screen) = (Client(.user), Screen())
        let landed: Result<User, any Error> = await landing { done in
            client.start(GetUser(id: 7), owner: screen) { owner, result in
                MainActor.assertIsolated()
                done(result)
            }
        }
        #expect(try landed.get().id == 7)
        // A call that is cancelled says so, on the main actor too.
        let cancelled: Result<User, any Error> = await landing { done in
            client.start(GetUser(id: 7), owner: screen) { _, result in
                MainActor.assertIsolated()
                done(result)
            }.cancel()
        }
        #expect(cancelled.error is CancellationError)
        func isSendable<Value: Sendable>(_: Value.Type) -> Bool { true }
        #expect(isSendable(GetUser.self) && isSendable(Landed<User>.self))
    }

    // BQ-10: an owner that goes in the turn in which the answer comes hears nothing of it.
    @Test func anAnswerThatComesAsTheOwnerGoesIsNotDelivered() async throws {
        let (client, landings, answered) = (Client(.user), Locked(0), DispatchSemaphore(value: 0))
        var screen: Screen? = Screen()
        weak let left = screen
        let handle = client.start(
            ClientWork { client in
                let user = try await client.send(GetUser(id: 7))
                answered.signal()
                return user
            }, owner: screen!
        ) { _, _ in
            landings.withLock { $0 += 1 }
        }
        // The turn of the main actor lasts until the answer is there, so the delivery comes behind it.
        #expect(holdTurn(until: answered))
        screen = nil
        await eventually { handle.hasLanded }
        for _ in 0..<50 { await Task.yield() }
        #expect(left == nil && landings.withLock { $0 } == 0)
    }

    // BQ-11, BQ-B9: limit and header fields belong to the call, and the next one has neither.
    @Test func limitAndHeaderFieldsArePerCall() async throws {
        let stub = StubTransport.user
        let client = Client(stub)
        _ = try await client.send(GetUser(id: 7)) {
            $0.timeout = .seconds(10)
            $0.headers["X-Screen"] = "login"
        }
        _ = try await client.send(GetUser(id: 7))
        #expect(stub.requests.map { $0[field: "X-Screen"] } == ["login", nil])
        #expect(client.explain(GetUser(id: 7))["timeout"]?.origin == .default)
        #expect(client.explain(GetUser(id: 7)) { $0.timeout = .seconds(10) }["timeout"]?.origin == .call)
    }

    // BQ-B9, LM-B6, YTK-17, XF-3, XF-4: files with their progress, and several calls at once.
    @Test func filesAndBatchesAreThere() async throws {
        let (folder, received) = (try TemporaryFolder(), Locked<[Int64]>([]))
        let stub = StubTransport { _ in .bytes(Bytes("hello"), headers: [.contentLength: "5"]) }
        let file = try await Client(stub).send(
            Download(.get("/f"), to: folder.path("f")), progress: { progress in received.withLock { $0.append(progress.received) } })
        #expect(folder.text("f") == "hello" && received.withLock { $0.last } == 5)
        #expect(file.response.status == .ok)
        let several = StubTransport { request in .json(#"{"id":\#(request.url.path.split(separator: "/").last ?? ""),"name":"ann"}"#) }
        let (one, two) = try await Client(several).send(Batch(GetUser(id: 1), GetUser(id: 2)))
        let all = try await Client(several).send(Batch([GetUser(id: 3), GetUser(id: 4)])).map { try $0.get().id }
        #expect(one.id == 1 && two.id == 2 && all == [3, 4])
        #expect(several.requests.map(\.url.path).sorted() == (1...4).map { "/v1/users/\($0)" })
    }

    // BQ-B9, QSP-B11, XF-B11, YTK-17: an upload with its progress, and answers that are kept.
    @Test func uploadsAndTheCacheAreThere() async throws {
        let (stub, sent) = (StubTransport.user, Locked<[Int64]>([]))
        let client = Client(stub)
        let body = Body.data(Data(repeating: 1, count: 5000))
        let user = try await client.send(Upload(body, to: .put("/photo", as: User.self)), progress: { progress in sent.withLock { $0.append(progress.sent) } })
        #expect(user.id == 7 && sent.withLock { $0.last } == 5000 && stub.requests.first?.body.buffered?.count == 5000)
        for _ in 0..<3 { _ = try await client.send(GetUser(id: 7)) { $0.cache = .ttl(.seconds(60)) } }
        #expect(stub.requests.count == 2)
    }

    // BQ-14: an answer may be one value of JSON without an object around it.
    @Test(arguments: [("7", JSON(7)), (#""up""#, "up"), ("true", true), ("null", nil), ("[1]", [1])] as [(String, JSON)])
    func anAnswerMayBeOneValue(text: String, value: JSON) async throws {
        #expect(try await Client(.enveloped(text)).get("/", as: JSON.self) == value)
    }

    // BQ-14: as a model too. `String` is the text of the body as it came: what JSON says in it is in `JSON`, or in a type around it.
    @Test func aModelMayBeOneValue() async throws {
        #expect(try await Client(.enveloped("7")).get("/", as: Int.self) == 7)
        #expect(try await Client(.enveloped("true")).get("/", as: Bool.self))
        #expect(try await Client(.enveloped("null")).get("/", as: Int?.self) == nil)
        #expect(try await Client(.enveloped(#""up""#)).get("/", as: String.self) == #""up""#)
        #expect(try await Client(.enveloped(#""up""#)).get("/", as: String?.self) == "up")
        #expect(try await Client(.enveloped(#""up""#)).get("/", as: JSON.self).string == "up")
    }

    // BQ-15: observers hear that a call was cancelled because its owner went.
    @Test func theEndOfAnOwnerIsTold() async throws {
        let (stub, told) = (StubTransport.user, Watched<[String]>([]))
        let client = Client(stub) {
            $0.observers = ["first", "second"].map { name in
                .closure { event in if case .cancelled = event.kind { told.update { $0.append("\(name) \(event.endpoint)") } } }
            }
        }
        stub.hold()
        var screen: Screen? = Screen()
        client.start(GetUser(id: 7), owner: screen!) { $0.userLanded($1) }
        try await stub.received()
        #expect(told.value.isEmpty)
        screen = nil
        try await told.wait { $0 == ["first GetUser", "second GetUser"] }
    }

    // BQ-B1, BQ-B2: however fast they land, each lands once.
    @Test func noFastLandingIsLost() async throws {
        let (client, screen) = (Client(.user), Screen())
        for _ in 0..<300 { client.start(GetUser(id: 7), owner: screen) { $0.userLanded($1) } }
        await eventually { screen.landings.count >= 300 }
        for _ in 0..<50 { await Task.yield() }
        #expect(screen.landings.count == 300)
    }

    // BQ-B3: no answer, a status of failure with JSON in it, and JSON that is none, are errors of their own, awaited or delivered.
    @Test(
        arguments: [
            ("", nil, TarmacError.Code.connectionLost), (#"{"id":7,"name":"ann"}"#, 500, .unacceptableStatus), ("{", 200, .malformedJSON),
        ] as [(String, Int?, TarmacError.Code)])
    func nothingIsSwallowed(body: String, status: Int?, code: TarmacError.Code) async {
        let client = Client(
            StubTransport { _ in
                guard let status else { throw TarmacError(.connectionLost, phase: .receiving, "lost") }
                return .json(body, status: .init(code: status))
            })
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
        #expect(error?.code == code)
        let screen = Screen()
        let landed: Result<User, any Error> = await landing { done in client.start(GetUser(id: 7), owner: screen) { done($1) } }
        #expect((landed.error as? TarmacError)?.code == code)
    }

    // BQ-B6, YTK-26: a value flies as often as it is sent; LM-B2: a held call that flies is not sent again.
    @Test func sendingOneValueTwiceLandsTwice() async throws {
        let (stub, screen, login) = (StubTransport.user, Screen(), GetUser(id: 7))
        let client = Client(stub)
        async let first = client.send(login)
        async let second = client.send(login)
        #expect(try await [first.id, second.id] == [7, 7])
        stub.hold()
        let call = client.call(login, owner: screen, landed: Screen.userLanded)
        call.start()
        call.start()
        try await stub.received(count: 3)
        stub.release()
        await eventually { !screen.landings.isEmpty }
        for _ in 0..<50 { await Task.yield() }
        #expect(stub.requests.count == 3 && screen.landings.count == 1)
    }
}
