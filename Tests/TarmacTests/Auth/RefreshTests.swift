import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams

@Suite("Refresh", .timeLimit(.minutes(5)))
struct RefreshTests {
    /// Time enough for the refresh, and no other watch in the way.
    private static func plain(_ options: inout Options) {
        options.timeout = .unlimited
        options.idleTimeout = .unlimited
        options.connectTimeout = .unlimited
    }

    @Test func aLateRefusalOfAnOldTokenReplaysWithTheNewOneWithoutARefresh() async throws {
        let late = Watched(false)
        let server = TokenServer()
        let rig = try await TokenRig(server) { request in
            let isOld = request.headers[.authorization] == "Bearer access-0"
            if request.url.path == "/late", isOld { try await late.wait { $0 } }
            return try await server.answer(request)
        }.logIn()
        let call = Task { try await rig.get("/late") }
        try await rig.stub.received(count: 1)
        server.expire()
        #expect(try await rig.get("/first") == 1)
        #expect(server.refreshes == 1)
        late.update { $0 = true }
        #expect(try await call.value == 1)
        #expect(server.refreshes == 1)
        #expect(rig.sent("/late") == 2)
    }

    @Test func theCallerThatCausedTheRefreshMayGoWithoutEndingIt() async throws {
        let rig = try await TokenRig().logIn()
        rig.server.expire()
        rig.server.gate.update { $0 = false }
        let causer = Task { try await rig.get("/causer") }
        try await rig.stub.received(count: 2)
        let waiter = Task { try await rig.get("/waiter") }
        causer.cancel()
        await #expect(throws: CancellationError.self) { _ = try await causer.value }
        rig.server.gate.update { $0 = true }
        #expect(try await waiter.value == 1)
        #expect(rig.server.refreshes == 1)
        #expect(rig.server.faults == [])
    }

    @Test func cancellingAllCallsEndsWhoWaitsAndNotTheRefresh() async throws {
        let server = TokenServer(), came = Watched(0)
        // The refresh begins when all calls are there.
        let rig = try await TokenRig(server) { request in
            if request.headers[.authorization] == "Bearer access-0" {
                came.update { $0 += 1 }
                try await came.wait { $0 == 5 }
            }
            return try await server.answer(request)
        }.logIn()
        server.expire()
        server.gate.update { $0 = false }
        let calls = (0..<5).map { number in Task { try await rig.get("/\(number)") } }
        await eventually { rig.sent("/token") == 1 }
        rig.client.cancelAll()
        for call in calls { await #expect(throws: CancellationError.self) { _ = try await call.value } }
        rig.server.gate.update { $0 = true }
        #expect(try await rig.get("/later") == 1)
        #expect(rig.server.refreshes == 1)
        #expect(rig.loggedOut.value == [])
    }

    @Test func whoWaitsForATokenObeysItsOwnDeadline() async throws {
        let time = ManualTime()
        let rig = try await TokenRig(time: time, configure: Self.plain).logIn()
        rig.server.expire()
        rig.server.gate.update { $0 = false }
        let patient = Task { try await rig.get("/patient") }
        try await rig.stub.received(count: 2)
        let hasty = Task { try await rig.get("/hasty") { $0.deadline = .seconds(5) } }
        await eventually { time.nextDeadline.map { $0 <= .seconds(5) } ?? false }
        time.advance(by: .seconds(6))
        let error = await failure { _ = try await hasty.value }
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.phase == .authenticating)
        #expect(error?.attempts == 0)
        rig.server.gate.update { $0 = true }
        #expect(try await patient.value == 1)
    }

    @Test func aRefreshNeedsNoSlotThatWaitersOrOthersHold() async throws {
        let rig = try await TokenRig(concurrency: 1).logIn()
        rig.server.expire()
        // The only slot of the lane is held by a call that does not end before the refresh.
        let blocker = Watched(false)
        let server = rig.server
        let blocked = try await TokenRig(server, concurrency: 1) { request in
            if request.url.path == "/blocker" {
                try await blocker.wait { $0 }
                return .json(#"{"n":7}"#)
            }
            return try await server.answer(request)
        }.logIn()
        let refused = Task { try await blocked.get("/refused") }
        await eventually { blocked.sent("/token") == 1 || blocked.sent("/refused") == 1 }
        let holder = Task { try await blocked.get("/blocker") { $0.authenticator = .off } }
        try await blocked.stub.received(where: { $0.contains { $0.url.path == "/token" } })
        blocker.update { $0 = true }
        #expect(try await holder.value == 7)
        #expect(try await refused.value == 1)
        #expect(rig.client.explain(InlineEndpoint<Void>.get("/"))["authenticator"]?.value == "OAuth 2 for app at /token")
    }

    @Test func aCallThatWaitsHoldsNoSlot() async throws {
        let rig = try await TokenRig(concurrency: 1).logIn()
        rig.server.expire()
        rig.server.gate.update { $0 = false }
        let waiter = Task { try await rig.get("/waiter") }
        try await rig.stub.received(count: 2)
        try await rig.client.get("/open") {
            $0.authenticator = .off; $0.acceptableStatus = .any
        }
        rig.server.gate.update { $0 = true }
        #expect(try await waiter.value == 1)
    }

    @Test func anExpiredTokenIsRefreshedBeforeItIsSent() async throws {
        let time = ManualTime()
        let rig = try await TokenRig(time: time).logIn(expiry: -1)
        #expect(try await rig.get("/a") == 1)
        #expect(rig.stub.requests.map(\.url.path) == ["/token", "/a"])
    }

    @Test func callsGoOnWithAValidTokenWhileItIsRefreshedAhead() async throws {
        let time = ManualTime()
        let rig = try await TokenRig(time: time, rule: RefreshRule { $0.leeway = .seconds(60) }, configure: Self.plain).logIn(expiry: 600)
        #expect(try await rig.get("/early") == 1)
        time.advance(by: .seconds(545))
        rig.server.gate.update { $0 = false }
        #expect(try await rig.get("/a") == 1)
        #expect(try await rig.get("/b") == 1)
        try await rig.stub.received(where: { $0.contains { $0.url.path == "/token" } })
        rig.server.gate.update { $0 = true }
        try await rig.recorder.received { if case .stage(AuthEvent.refreshEnded) = $0.kind { true } else { false } }
        #expect(try await rig.get("/c") == 1)
        #expect(rig.server.refreshes == 1)
        #expect(rig.stub.requests.last?.headers[.authorization] == "Bearer access-1")
        #expect(rig.server.state.withLock { $0.refusals } == [:])
    }

    @Test func aShortLivedTokenIsNotRefreshedAllTheTime() async throws {
        let time = ManualTime()
        let rig = try await TokenRig(time: time, rule: RefreshRule { $0.leeway = .seconds(3600) }).logIn(expiry: 100)
        for _ in 0..<20 { #expect(try await rig.get("/a") == 1) }
        #expect(rig.server.refreshes == 0)
    }

    // MARK: Failures

    @Test func aRefusedRefreshTokenLogsOutOnceAndFailsAllWhoWait() async throws {
        let rig = try await TokenRig(TokenServer(failures: [400]), concurrency: 200).logIn()
        rig.server.expire()
        rig.stub.hold()
        let calls = (0..<200).map { number in Task { try await rig.get("/\(number)") } }
        try await rig.stub.received(count: 200)
        rig.stub.release()
        for call in calls {
            let error = await failure { _ = try await call.value }
            #expect(error?.code == .loggedOut)
            #expect(error?.attempts == 1)
        }
        await eventually { rig.loggedOut.value == [.refused] }
        #expect(rig.events("loggedOut") == 1)
        #expect(rig.server.refreshes == 1)
        #expect(await failure { _ = try await rig.get("/later") }?.code == .loggedOut)
        #expect(rig.sent("/later") == 0)
        #expect(rig.store.token(for: TokenKey(service: "s", environment: "production")) == nil)
        #expect(rig.loggedOut.value == [.refused])
    }

    @Test func a503IsAskedAgainWithBackOffAndOneTokenServesAll() async throws {
        let time = ManualTime()
        let rig = try await TokenRig(TokenServer(failures: [503, 503]), time: time, configure: Self.plain).logIn()
        rig.server.expire()
        let calls = (0..<10).map { number in Task { try await rig.get("/\(number)") } }
        for attempt in 1...2 {
            await eventually { rig.server.refreshes == attempt && rig.server.state.withLock { $0.refreshing } == 0 && time.sleepers >= 2 }
            time.advance(by: .seconds(2))
        }
        for call in calls { #expect(try await call.value == 1) }
        #expect(rig.server.refreshes == 3)
        #expect(rig.loggedOut.value == [])
        #expect(rig.events("refreshStarted") == 1)
    }

    @Test func attemptsEndAndTheLoginLasts() async throws {
        let time = ManualTime()
        let rig = try await TokenRig(
            TokenServer(failures: [503, 503, 503]), time: time, rule: RefreshRule { $0.maximumAttempts = 3 }, configure: Self.plain
        ).logIn()
        rig.server.expire()
        let call = Task { try await rig.get("/a") }
        for attempt in 1...2 {
            await eventually { rig.server.refreshes == attempt && rig.server.state.withLock { $0.refreshing } == 0 && time.sleepers >= 2 }
            time.advance(by: .seconds(2))
        }
        let error = await failure { _ = try await call.value }
        #expect(error?.code == .refreshFailed)
        #expect(error?.status == .serviceUnavailable)
        #expect(error?.cause(as: TarmacError.self)?.code == .unacceptableStatus)
        #expect(rig.server.refreshes == 3)
        #expect(rig.loggedOut.value == [])
        #expect(try await rig.get("/b") == 1)
        #expect(rig.server.faults == [])
    }

    @Test func aServerNotReachedIsAskedAgain() async throws {
        let (server, failures) = (TokenServer(), Watched(2))
        let rig = try await TokenRig(server, rule: RefreshRule { $0.backOff = .zero }) { request in
            if request.url.path == "/token",
                failures.update({ left in
                    defer { left -= 1 }; return left > 0
                })
            {
                throw TarmacError(.connectionRefused, phase: .connecting, "nobody there")
            }
            return try await server.answer(request)
        }.logIn()
        server.expire()
        #expect(try await rig.get("/a") == 1)
        #expect(rig.sent("/token") == 3)
    }

    @Test func a403NeverRefreshes() async throws {
        let rig = try await TokenRig { _ in .json(#"{"code":40101}"#, status: .forbidden) }.logIn()
        let error = await failure { _ = try await rig.get("/a") { $0.envelope = Envelope(success: { _ in false }, code: "code", expired: [40101]) } }
        #expect(error?.status == .forbidden)
        #expect(rig.stub.requests.count == 1)
    }

    @Test func aRefusalOfATokenOnesOwnRefreshBroughtRefreshesOnceMoreThenFails() async throws {
        let rig = try await TokenRig(TokenServer(uses: 0)).logIn()
        let error = await failure { _ = try await rig.get("/a") }
        #expect(error?.status == .unauthorized)
        #expect(error?.attempts == 3)
        #expect(rig.server.refreshes == 2)
        // Not tried again for every call that follows.
        _ = await failure { _ = try await rig.get("/b") }
        #expect(rig.server.refreshes == 2)
    }

    @Test func anEndpointThatAlwaysRefusesDoesNotEndTheOthers() async throws {
        let server = TokenServer()
        let rig = try await TokenRig(server) { request in
            request.url.path == "/odd" ? .status(.unauthorized) : try await server.answer(request)
        }.logIn()
        for round in 1...3 {
            let error = await failure { _ = try await rig.get("/odd") }
            #expect(error?.status == .unauthorized)
            #expect(try await rig.get("/fine") == 1)
            #expect(server.refreshes <= 2 * round)
        }
        #expect(server.faults == [])
    }

    @Test func aBodyThatCannotBeSentAgainMakesTheRefusalTheCallsError() async throws {
        let rig = try await TokenRig().logIn()
        rig.server.expire()
        let body = Body.stream(ByteStream { OneByte() })
        let error = await failure { try await rig.client.send(InlineEndpoint<Void>.post("/a", body: body)) }
        #expect(error?.status == .unauthorized)
        #expect(rig.sent("/a") == 1)
        // The next call knows.
        #expect(try await rig.get("/b") == 1)
        #expect(rig.sent("/b") == 1)
    }

    @Test func aRefreshThatHangsEndsWithItsTimeLimit() async throws {
        let time = ManualTime()
        let rig = try await TokenRig(time: time, rule: RefreshRule { $0.timeout = .seconds(20) }, configure: Self.plain).logIn()
        rig.server.expire()
        rig.server.gate.update { $0 = false }
        let call = Task { try await rig.get("/a") }
        try await rig.stub.received(count: 2)
        await eventually { time.sleepers > 0 }
        time.advance(by: .seconds(21))
        // Whether the server has used the refresh token cannot be known. The login lasts.
        #expect(await failure { _ = try await call.value }?.code == .refreshFailed)
        #expect(rig.loggedOut.value == [])
    }

    @Test func aStreamRefusedIsReplayedThroughItsOnlySlot() async throws {
        let rig = try await TokenRig(concurrency: 1).logIn()
        rig.server.expire()
        let text = try await rig.client.stream(.get("/s")) {
            $0.acceptableStatus = .any
        } _: { response in
            var text = ""
            for try await chunk in response.body { text += String(decoding: chunk.array, as: UTF8.self) }
            return text
        }
        #expect(text == #"{"n":1}"#)
        #expect(rig.sent("/s") == 2)
    }
}

private final class OneByte: ByteStreamSource {
    private let rest = Locked([Bytes("x")])
    func next() -> Bytes? { rest.withLock { $0.popLast() } }
}

extension StubTransport {
    /// Returns once the requests fulfil a condition.
    func received(where condition: @escaping @Sendable ([Request]) -> Bool) async throws {
        await eventually { condition(requests) }
    }
}
