import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacTesting
import Testing

@MainActor
@Suite("YTKNetwork: life cycle and weaknesses", .timeLimit(.minutes(5)))
struct YTKWeaknessTests {
    // LM-1, LM-B2, YTK-19, YTK-22, XF-4: started and stopped by whoever holds it; one nobody holds flies to its end.
    @Test func aCallIsStartedStoppedAndKeptWhileItFlies() async throws {
        let (stub, screen) = (StubTransport.user, Screen())
        let client = Client(stub)
        stub.hold()
        let stopped = client.call(GetUser(id: 7), owner: screen, landed: Screen.userLanded)
        let handle = stopped.start()
        client.call(GetUser(id: 8), owner: screen, landed: Screen.userLanded).start()
        try await stub.received(count: 2)
        stopped.cancel()
        await eventually { !screen.landings.isEmpty }
        // The stopped call ends on the wire, although its answer is still held.
        await eventually { stub.inFlight <= 1 }
        stub.release()
        await eventually { screen.landings.count >= 2 }
        // YTK-B5: a stopped call is told so, once.
        #expect(screen.landings[0].error is CancellationError)
        #expect(try screen.landings[1].get().id == 7)
        #expect(!stopped.isFlying && stopped.error is CancellationError)
        #expect(handle?.isCancelled == true)
    }

    // YTK-18: the listener may be a closure, which hears of success and failure; the text of an answer is its value as `String`.
    @Test func aClosureListensToACall() async throws {
        let stub = StubTransport { request in request.url.path.hasSuffix("7") ? .json(#"{"id":7,"name":"ann"}"#) : .status(.notFound) }
        let (client, screen) = (Client(stub), Screen())
        for id in [7, 8] {
            let call = client.call(GetUser(id: id), owner: screen, landed: { screen in { result in screen.userLanded(result) } })
            call.start()
            await eventually { screen.landings.count >= id - 6 }
            #expect(call.hasSucceeded == (id == 7) && (call.error == nil) == (id == 7))
        }
        #expect(try screen.landings[0].get().id == 7)
        #expect((screen.landings[1].error as? TarmacError)?.code == .unacceptableStatus)
        #expect(try await client.get("/users/7", as: String.self) == #"{"id":7,"name":"ann"}"#)
    }

    // YTK-B5: an awaited call that is cancelled returns.
    @Test func aCancelledCallDoesNotHang() async throws {
        let stub = StubTransport.user
        let client = Client(stub)
        stub.hold()
        let call = Task { try await client.send(GetUser(id: 7)) }
        try await stub.received()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    // YTK-25: failures are told apart by code, and an answer of another shape (YTKNetwork's -9) from one that is not JSON or does not decode.
    @Test(
        arguments: [
            ("{}", 404, TarmacError.Code.unacceptableStatus), ("{", 200, .malformedJSON), (#"{"id":7}"#, 200, .decodingFailed),
            (#"{"id":"x","name":"ann"}"#, 200, .shapeMismatch),
        ])
    func failuresHaveCodes(body: String, status: Int, code: TarmacError.Code) async {
        let client = Client(StubTransport { _ in .json(body, status: .init(code: status)) }) { $0.shape = ["id": .integer] }
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
        #expect(error?.code == code)
    }

    // YTK-25, YTK-30, YTK-B4: a time for the cache that means nothing (YTKNetwork's -5, and 0, of which its documentation and its code say different
    // things) is an error that names the setting, and nothing is sent.
    @Test(arguments: [CacheRule.ttl(.zero), CacheRule.ttl(.seconds(-1)), CacheRule.http { $0.staleIfDisconnected = .seconds(-1) }])
    func aCacheTimeWithoutMeaningIsRefused(rule: CacheRule) async {
        let stub = StubTransport.user
        let client = Client(stub) { $0.cache = rule }
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
        #expect(error?.code == .invalidOption && error?.reason.contains("cache") == true)
        #expect(stub.requests.isEmpty)
    }

    // YTK-B10: a download by any method is cancelled as any other, also where a ledger keeps downloads.
    @Test(arguments: [Route.post("/export"), .method("EXPORT", "/export"), .get("/export")], [true, false])
    func aDownloadByAnyMethodIsCancelled(route: Route, isKept: Bool) async throws {
        let (stub, folder, ledger) = (StubTransport.user, try TemporaryFolder(), try TemporaryFolder())
        let client = Client(stub) { if isKept { $0.transferLedger = .folder(ledger.path("ledger")) } }
        stub.hold()
        let download = Task { try await client.send(Download(InlineEndpoint(route, landing: .void), to: folder.path("f"))) }
        try await stub.received()
        #expect(stub.requests.map(\.method) == [route.method])
        download.cancel()
        await #expect(throws: CancellationError.self) { try await download.value }
        try await stub.isIdle()
        #expect(folder.text("f") == nil)
        if !isKept { #expect(folder.names.isEmpty) }
    }

    // YTK-17, YTK-B11: the old file stays until the new one is complete.
    @Test func anOldFileOutlivesADownloadThatFails() async throws {
        let folder = try TemporaryFolder()
        folder.write("old", to: "f")
        let failing = Client(StubTransport { _ in .json("{}", status: .internalServerError) })
        await #expect(throws: TarmacError.self) { try await failing.send(Download(.get("/f"), to: folder.path("f"))) }
        #expect(folder.text("f") == "old")
        // Nor does one that breaks off half-way take it.
        let breaking = StubTransport { _ in
            let half = AsyncThrowingStream<Bytes, any Error> { continuation in
                continuation.yield(Bytes("ne"))
                continuation.finish(throwing: TarmacError(.connectionLost, phase: .receiving, "broke off"))
            }
            return .stream(ByteStream(half), headers: [.contentLength: "3"])
        }
        let broken = Client(breaking) { ($0.resume, $0.retry) = (.never, .never) }
        await #expect(throws: TarmacError.self) { try await broken.send(Download(.get("/f"), to: folder.path("f"))) }
        #expect(folder.text("f") == "old" && folder.names == ["f"])
        try await Client(StubTransport { _ in .text("new") }).send(Download(.get("/f"), to: folder.path("f")))
        #expect(folder.text("f") == "new" && folder.names == ["f"])
    }

    // YTK-B12: an answer that cannot be parsed lets go of everything too; YTK-22: as one that lands does.
    @Test(arguments: [("{", .malformedJSON), (#"{"id":7,"name":"ann"}"#, nil)] as [(String, TarmacError.Code?)])
    func aLandingThatFailsKeepsNothingAlive(body: String, code: TarmacError.Code?) async {
        final class Token: Sendable {}
        let (client, screen) = (Client(.enveloped(body)), Screen())
        var token: Token? = Token()
        weak let kept = token
        let landed: Result<User, any Error> = await landing { [token] done in
            client.start(GetUser(id: 7), owner: screen) { _, result in
                _ = token
                done(result)
            }
        }
        token = nil
        #expect((landed.error as? TarmacError)?.code == code)
        await eventually { kept == nil }
    }

    // YTK-B12: so does a call of which no request can be made, the case of the seed, and one that nobody answers.
    @Test(arguments: [("/users/{id}", .invalidParameter, 0), ("/users/7", .connectionRefused, 1)] as [(String, TarmacError.Code, Int)])
    func aCallWithoutAnAnswerKeepsNothingAlive(template: String, code: TarmacError.Code, requests: Int) async {
        final class Token: Sendable {}
        let stub = StubTransport { _ in throw TarmacError(.connectionRefused, phase: .connecting, "refused") }
        let (client, screen) = (Client(stub), Screen())
        var token: Token? = Token()
        weak let kept = token
        let landed: Result<User, any Error> = await landing { [token] done in
            client.start(.get(template, as: User.self), owner: screen) { _, result in
                _ = token
                done(result)
            }
        }
        token = nil
        #expect((landed.error as? TarmacError)?.code == code && stub.requests.count == requests)
        await eventually { kept == nil }
    }

    // YTK-B12: so does a call whose owner goes, which never lands.
    @Test func aCallOfAnOwnerThatIsGoneKeepsNothingAlive() async throws {
        final class Token: Sendable {}
        let stub = StubTransport.user
        let client = Client(stub)
        stub.hold()
        var screen: Screen? = Screen()
        var token: Token? = Token()
        weak let kept = token
        client.start(GetUser(id: 7), owner: screen!) { [token] _, _ in
            _ = token
            Issue.record("it landed")
        }
        token = nil
        try await stub.received()
        #expect(kept != nil)
        screen = nil
        await eventually { kept == nil }
        try await stub.isIdle()
    }

    // YTK-B12: so does a call that is cancelled while it flies.
    @Test func aCancelledCallKeepsNothingAlive() async throws {
        final class Token: Sendable {}
        let (stub, screen) = (StubTransport.user, Screen())
        let client = Client(stub)
        stub.hold()
        var token: Token? = Token()
        weak let kept = token
        let handle = client.start(GetUser(id: 7), owner: screen) { [token] owner, result in
            _ = token
            owner.userLanded(result)
        }
        token = nil
        try await stub.received()
        #expect(kept != nil)
        handle.cancel()
        await eventually { kept == nil }
        try await stub.isIdle()
        #expect(handle.isCancelled && screen.landings.count == 1 && screen.landings.first?.error is CancellationError)
    }

    // YTK-B12: so does a transfer, whose progress is let go of with the rest.
    @Test func aTransferThatFailsKeepsNothingAlive() async throws {
        final class Token: Sendable {}
        let (client, told) = (Client(.enveloped("{")), Locked(0))
        var token: Token? = Token()
        weak let kept = token
        var failure: (any Error)?
        do {
            _ = try await client.send(
                Upload(.bytes(Bytes([UInt8](repeating: 1, count: 5000))), to: .put("/photo", as: User.self)),
                progress: { [token] _ in
                    _ = token
                    told.withLock { $0 += 1 }
                })
        } catch { failure = error }
        token = nil
        #expect((failure as? TarmacError)?.code == .malformedJSON)
        #expect(told.withLock { $0 } > 0)
        await eventually { kept == nil }
    }

    // YTK-B12: so does a download, whose progress the seed kept: one that the server refuses, and one of which no request can be made.
    @Test(
        arguments: [("/f", .unacceptableStatus, 1), ("/f/{id}", .invalidParameter, 0)] as [(String, TarmacError.Code, Int)], [true, false])
    func aDownloadThatFailsKeepsNothingAlive(row: (String, TarmacError.Code, Int), isHeld: Bool) async throws {
        final class Token: Sendable {}
        let (folder, stub) = (try TemporaryFolder(), StubTransport { _ in .status(.notFound) })
        let (client, endpoint, path) = (Client(stub), InlineEndpoint<Void>.get(row.0), folder.path("f"))
        var token: Token? = Token()
        weak let kept = token
        var failure: (any Error)?
        var transfer: CallHandle?
        let owner = Keeper<DownloadedFile>()
        do {
            if isHeld {
                transfer = client.startAnywhere(Download(endpoint, to: path), owner: owner) { [token] in
                    $0.hooks = [CallHooks(didStop: { _, _ in _ = token })]
                } landed: {
                    $0.keep($1)
                }
                _ = try await owner.value
            } else {
                _ = try await client.send(Download(endpoint, to: path), progress: { [token] _ in _ = token })
            }
        } catch { failure = error }
        token = nil
        #expect((failure as? TarmacError)?.code == row.1 && stub.requests.count == row.2)
        await eventually { kept == nil }
        withExtendedLifetime(transfer) {}
    }

    // YTK-B14, XF-B5: settings are typed values of a client; each client is made of its own, whenever it is made.
    @Test func settingsAreReadByTheClientThatIsGivenThem() async throws {
        let made = Locked<[ConnectionSettings]>([])
        let factory = TransportFactory(name: "counted") { settings in
            made.withLock { $0.append(settings) }
            return StubTransport.user
        }
        for count in [1, 2] {
            let connection = ConnectionSettings { $0.connectionsPerHost = count }
            try await Client(transport: factory, services: [Service("s", host: "https://s.example", connection: connection)]).get("/")
        }
        #expect(made.withLock { $0.map(\.connectionsPerHost) } == [1, 2])
    }

    // YTK-B15, XF-B3: what a call sets is gone with it, also when many fly at once.
    @Test func nothingACallSetsIsSeenByAnother() async throws {
        let stub = StubTransport.user
        let client = Client(stub)
        await withTaskGroup(of: Void.self) { group in
            for id in 0..<100 {
                group.addTask {
                    try? await client.get("/\(id)", ["a": [1, 2]]) {
                        guard id.isMultiple(of: 2) else { return }
                        $0.headers["X-Even"] = "\(id)"
                        $0.userAgent = "even"
                        $0.query = QueryEncoder(arrays: .brackets)
                        $0.authenticator = .bearer("t\(id)")
                        $0.timeout = .seconds(Double(1 + id))
                    }
                }
            }
        }
        #expect(stub.requests.count == 100)
        for request in stub.requests {
            let id = Int(request.url.path.split(separator: "/").last ?? "") ?? -1
            let isEven = id.isMultiple(of: 2)
            #expect(request[field: "X-Even"] == (isEven ? "\(id)" : nil))
            #expect((request.headers[.userAgent] == "even") == isEven)
            #expect(request.url.query == (isEven ? "a%5B%5D=1&a%5B%5D=2" : "a=1&a=2"))
            #expect(request.headers[.authorization] == (isEven ? "Bearer t\(id)" : nil))
        }
        #expect(client.explain(GetUser(id: 7))["timeout"]?.value == "60 s")
    }

    // YTK-B15, XF-B3: the limit of one call is not that of the next.
    @Test func theLimitOfACallIsNotThatOfTheNext() async throws {
        let (stub, time) = (StubTransport.user, ManualTime())
        let client = Client(stub, time: time) { ($0.connectTimeout, $0.idleTimeout) = (.unlimited, .unlimited) }
        try await client.get("/first") { $0.timeout = .seconds(5) }
        stub.hold()
        let call = Task { try await client.get("/users/7", as: User.self) }
        try await stub.received(count: 2)
        time.advance(by: .seconds(59))
        for _ in 0..<50 { await Task.yield() }
        stub.release()
        #expect(try await call.value.id == 7)
    }

    // YTK-B16: a refresh is a setting.
    @Test func anExpiredTokenIsRenewed() async throws {
        struct Renewing: Authenticator {
            func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { AccessToken("new") }
        }
        let stub = StubTransport { request in
            request.headers[.authorization] == "Bearer new" ? .json(#"{"id":7,"name":"ann"}"#) : .json("{}", status: .unauthorized)
        }
        let client = Client(stub) { $0.authenticator = Authentication(Renewing()) }
        try await client[.clientDefault].logIn(AccessToken("old", refreshToken: "r"))
        #expect(try await client.send(GetUser(id: 7)).id == 7)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
    }

    // YTK-B18, XF-9, XF-B4: nothing is asked beforehand; no answer is no status, and there is a sentence for users.
    @Test func aFailedConnectionHasNoStatusAndASentence() async throws {
        let stub = StubTransport { _ in throw TarmacError(.connectionFailed, phase: .connecting, "unreachable") }
        let error = await #expect(throws: TarmacError.self) { try await Client(stub).send(GetUser(id: 7)) }
        #expect(stub.requests.count == 1)
        #expect(error?.code == .connectionFailed && error?.status == nil)
        #expect(error?.userMessage(in: .simplifiedChinese) == "无法连接服务器，请检查网络。")
        #expect(error?.userMessage(in: .english) == "Cannot reach the server. Please check your connection.")
        // Its kin have it too.
        for kin: TarmacError.Code in [.cannotFindHost, .connectionRefused, .connectionLost, .requestUnprocessed, .proxyFailed, .transportFailed] {
            #expect(TarmacError(kin, "no network").userMessage(in: .simplifiedChinese) == "无法连接服务器，请检查网络。", "\(kin)")
        }
        // The first call of a client is sent, although nobody has told whether there is a network, even where calls wait for one.
        #expect(try await Client(.user) { $0.waitsForConnectivity = true }.send(GetUser(id: 7)).id == 7)
    }

    // YTK-B12: a held call can start again, so it keeps its closure, but no longer than it is held itself.
    @Test func aHeldCallKeepsItsClosureAsLongAsItIsHeld() async {
        final class Token: Sendable {}
        let (client, screen) = (Client(.enveloped("{")), Screen())
        var token: Token? = Token()
        weak let kept = token
        var call: Call<GetUser>? = client.call(
            GetUser(id: 7), owner: screen,
            landed: { [token] screen in
                { result in
                    _ = token
                    screen.userLanded(result)
                }
            })
        token = nil
        call?.start()
        await eventually { !screen.landings.isEmpty }
        #expect((screen.landings[0].error as? TarmacError)?.code == .malformedJSON)
        #expect(kept != nil && call?.hasSucceeded == false)
        call = nil
        await eventually { kept == nil }
    }

    // YTK-B12: a transfer that has ended, or was cancelled, lets go of body and settings although it is still held.
    @Test(arguments: [false, true])
    func aHeldTransferThatEndedKeepsNothingAlive(isCancelled: Bool) async {
        final class Token: Sendable {}
        let stub = StubTransport.enveloped("{"), client = Client(stub)
        if isCancelled { stub.hold() }
        var token: Token? = Token()
        weak let kept = token
        let owner = Keeper<User>()
        let transfer = client.startAnywhere(Upload(.bytes(Bytes([1, 2, 3])), to: .put("/photo", as: User.self)), owner: owner) { [token] in
            $0.hooks = [CallHooks(didStop: { _, _ in _ = token })]
        } landed: {
            $0.keep($1)
        }
        token = nil
        if isCancelled { transfer.cancel() }
        let error = await #expect(throws: (any Error).self) { try await owner.value }
        #expect(isCancelled ? error is CancellationError : (error as? TarmacError)?.code == .malformedJSON)
        await eventually { kept == nil }
        withExtendedLifetime(transfer) {}
    }

    // YTK-B20: the transport finds the call registered already, off the main actor too, where it may land before `startAnywhere` returns.
    @Test func aCallIsKnownWhenItIsSent() async throws {
        final class Model: LifetimeOwner, Sendable { let lifetime = Lifetime() }
        let (model, known, landed) = (Model(), Locked<[Int]>([]), Watched(0))
        let stub = StubTransport { _ in
            known.withLock { $0.append(model.lifetime.callsInFlight) }
            return .json(#"{"id":1,"name":"ann"}"#)
        }
        let client = Client(stub)
        for count in 1...200 {
            client.startAnywhere(GetUser(id: 1), owner: model) { _, _ in landed.update { $0 += 1 } }
            try await landed.wait { $0 == count }
            await eventually { model.lifetime.callsInFlight == 0 }
        }
        #expect(known.withLock { $0 } == Array(repeating: 1, count: 200))
    }
}

/// An owner off the main actor that keeps the result.
private final class Keeper<Value: Sendable>: LifetimeOwner, Sendable {
    let lifetime = Lifetime()
    private let landing = Watched<Result<Value, any Error>?>(nil)

    func keep(_ result: Result<Value, any Error>) { landing.update { $0 = result } }

    var value: Value {
        get async throws {
            guard let result = try await landing.wait(until: { $0 != nil }) else { throw CancellationError() }
            return try result.get()
        }
    }
}
