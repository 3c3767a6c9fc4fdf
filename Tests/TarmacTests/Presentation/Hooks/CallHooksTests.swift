import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacPresentation
import TarmacStreams

// YTK-20, YTK-21; YTK-B8: nothing is told twice.
@MainActor
@Suite("Hooks", .timeLimit(.minutes(5)))
struct CallHooksTests {
    private let recorder = HookRecorder()
    private let landings = Watched<[String]>([])
    private let time = ManualTime()

    private func client(_ stub: StubTransport) -> Client {
        Client(stub, time: time) { $0.hooks = recorder.hooks() }
    }

    private func meet(_ fate: Fate, _ stub: StubTransport, _ client: Client, cancel: () -> Void) async throws {
        guard fate.needsFlight else { return }
        try await stub.received(count: 1)
        switch fate {
        case .cancelled: cancel()
        case .shutDown: await client.shutdown()
        default:
            try await time.hasSleepers()
            time.advance(by: .seconds(6))
        }
    }

    // YTK-20, YTK-21
    @Test(arguments: Fate.allCases, Delivery.allCases)
    func eachIsCalledOnceForEveryWayToEnd(fate: Fate, delivery: Delivery) async throws {
        let stub = StubTransport { _ in try fate.answer() }
        if fate.needsFlight { stub.hold() }
        let client = client(stub)
        let owner = Owner(landings)
        let cancel = delivery.start(Fated(fate: fate), on: client, owner: owner)
        try await meet(fate, stub, client, cancel: cancel)
        try await recorder.entries.wait { $0.count >= 6 }
        // Work that is owned lands behind the hooks of its calls, and a shutdown would end it.
        try await landings.wait { !$0.isEmpty }
        stub.release()
        await client.shutdown()
        #expect(recorder.words == HookRecorder.whole(fate.landing))
        #expect(landings.value == [fate.landing])
        #expect(recorder.entries.value.map(\.isOnMain) == [false, true, false, true, false, true])
    }

    // YTK-20, YTK-21
    @Test(arguments: Verb.allCases)
    func everyVerbHasThem(verb: Verb) async throws {
        try await verb.fly(client(StubTransport { _ in .json(#"{"n":1}"#) }))
        #expect(recorder.words == HookRecorder.whole("value"))
        // A verb called on the main actor does its work elsewhere, as far as hooks are concerned.
        #expect(recorder.entries.value.map(\.isOnMain) == [false, true, false, true, false, true])
    }

    // YTK-20
    @Test func thoseInTheBackgroundAreNeverOnTheMainActor() async throws {
        let client = Client(StubTransport { _ in .json(#"{"n":1}"#) }) { $0.hooks = Array(recorder.hooks().prefix(1)) }
        // These verbs do their work on the actor they are called on.
        _ = try await client.send(raw: Request(.get, HTTPURL("https://s.example/")))
        try await client.stream(.get("/")) { _ in }
        try await client.send(.get("/"))
        #expect(recorder.words == Array(repeating: ["willStart", "willStop value", "didStop value"], count: 3).flatMap(\.self))
        #expect(recorder.entries.value.allSatisfy { !$0.isOnMain })
    }

    @Test(arguments: Delivery.allCases)
    func anOwnerThatIsGoneIsACancellation(delivery: Delivery) async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        stub.hold()
        let client = client(stub)
        var owner: Owner? = Owner(landings)
        _ = delivery.start(Fated(fate: .value), on: client, owner: owner!)
        try await stub.received(count: 1)
        owner = nil
        try await recorder.entries.wait { $0.count >= 6 }
        await client.shutdown()
        #expect(recorder.words == HookRecorder.whole("cancelled"))
        #expect(landings.value.isEmpty)
    }

    // YTK-21
    @Test func willStopComesBeforeTheOwnerIsToldAndDidStopAfter() async throws {
        let client = client(StubTransport { _ in .json(#"{"n":1}"#) })
        let owner = Owner(landings)
        let seen = Watched<[String]>([])
        client.start(Fated(fate: .value), owner: owner) { [recorder] _, _ in seen.update { $0 = recorder.words } }
        try await recorder.entries.wait { $0.count == 6 }
        #expect(seen.value == Array(HookRecorder.whole("value").prefix(4)))
    }

    @Test func callsOfOwnedWorkEndWhenTheWorkIsTold() async throws {
        let client = client(StubTransport { _ in .json(#"{"n":1}"#) })
        let owner = Owner(landings)
        let seen = Watched<[String]>([])
        client.start(
            ClientWork { [recorder] client in
                _ = try await client.send(Fated(fate: .value))
                seen.update { $0 = recorder.words }
                return Number(n: 1)
            }, owner: owner
        ) {
            $0.land($1)
        }
        try await landings.wait { !$0.isEmpty }
        #expect(seen.value == HookRecorder.whole("value"))
    }

    @Test func theyKnowTheCallItsValueAndItsAnswer() async throws {
        enum Screen: UserInfoKey { typealias Value = String }
        let outcomes = Watched<[(CallSummary, CallOutcome)]>([])
        let client = Client(StubTransport { _ in .json(#"{"n":7}"#) })
        let value = try await client.send(Fated(fate: .value)) {
            $0.hooks = [CallHooks(willStop: { call, outcome in outcomes.update { $0.append((call, outcome)) } })]
            $0.tags = ["list"]
            $0.userInfo[Screen.self] = "home"
        }
        let (call, outcome) = try #require(outcomes.value.first)
        #expect(outcome.value(as: Number.self) == value)
        #expect(call.kind == .call && call.name == "Fated" && call.service == "s")
        #expect(call.tags == ["list"] && call.userInfo[Screen.self] == "home")
        guard case .landed(_, let response) = outcome else { return #expect(Bool(false)) }
        #expect(response?.status == .ok)
    }

    // BQ-8: client, service, endpoint, call.
    @Test func lowerLayersComeFirst() async throws {
        let order = Watched<[String]>([])
        let hooks: @Sendable (String) -> [CallHooks] = { name in
            [CallHooks(name, willStart: { _ in order.update { $0.append(name) } }, didStop: { _, _ in order.update { $0.append("\(name) end") } })]
        }
        let service = Service("s", host: "https://s.example") { $0.hooks = hooks("service") }
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [service]) { $0.hooks = hooks("client") }
        let endpoint = Layered(own: { $0.hooks = hooks("endpoint") })
        try await client.send(endpoint) { $0.hooks = hooks("call") }
        #expect(order.value == ["client", "service", "endpoint", "call", "client end", "service end", "endpoint end", "call end"])
        #expect(client.explain(endpoint)["hooks"]?.value == "client, service, endpoint")
    }

    // BQ-8: for failures too, and of hooks in the background as of those on the main actor.
    @Test(arguments: [false, true])
    func aFailureIsToldToTheLayersInTheSameOrder(isOnMain: Bool) async {
        let order = Watched<[String]>([])
        let hooks: @Sendable (String) -> [CallHooks] = { name in
            let tell: @Sendable (String) -> Void = { word in order.update { $0.append("\(name) \(word)") } }
            let start: @Sendable (CallSummary) -> Void = { _ in tell("will start") }
            if isOnMain {
                return [.onMainActor(name, willStart: { start($0) }, willStop: { _, _ in tell("will stop") }, didStop: { _, _ in tell("did stop") })]
            }
            return [CallHooks(name, willStart: start, willStop: { _, _ in tell("will stop") }, didStop: { _, _ in tell("did stop") })]
        }
        let service = Service("s", host: "https://s.example") { $0.hooks = hooks("service") }
        let client = Client(transport: .stub { _ in .status(.notFound) }, services: [service]) { $0.hooks = hooks("client") }
        let endpoint = Layered(own: { $0.hooks = hooks("endpoint") })
        let error = await failure { try await client.send(endpoint) { $0.hooks = hooks("call") } }
        #expect(error?.code == .unacceptableStatus)
        let layers = ["client", "service", "endpoint", "call"]
        #expect(order.value == ["will start", "will stop", "did stop"].flatMap { word in layers.map { "\($0) \(word)" } })
    }

    // BQ-8: those in the background come before those on the main actor, whatever their layers.
    @Test(arguments: [HTTPResponse.Status.ok, .notFound])
    func hooksInTheBackgroundComeBeforeThoseOnTheMainActor(status: HTTPResponse.Status) async throws {
        let order = Watched<[String]>([])
        let tell: @Sendable (String) -> Void = { word in order.update { $0.append(word) } }
        let client = Client(transport: .stub { _ in .status(status) }, services: [Service("s", host: "https://s.example")]) {
            $0.hooks = [
                .onMainActor(
                    "client", willStart: { _ in tell("client will start") }, willStop: { _, _ in tell("client will stop") },
                    didStop: { _, _ in tell("client did stop") })
            ]
        }
        _ = try? await client.get("/") {
            $0.hooks = [
                CallHooks(
                    "call", willStart: { _ in tell("call will start") }, willStop: { _, _ in tell("call will stop") },
                    didStop: { _, _ in tell("call did stop") })
            ]
        }
        #expect(order.value == ["will start", "will stop", "did stop"].flatMap { ["call \($0)", "client \($0)"] })
    }

    @Test func anAnswerOfAnInterceptorPassesThemLikeAnyOther() async throws {
        let stub = StubTransport { _ in .status(.notFound) }
        let client = Client(stub) {
            $0.hooks = recorder.hooks()
            $0.interceptors = [
                Intercepting { request, _ in
                    Response(status: .ok, headers: [.contentType: "application/json"], body: .bytes(Bytes(#"{"n":1}"#)), url: request.url)
                }
            ]
        }
        _ = try await client.send(Fated(fate: .value))
        #expect(stub.requests.isEmpty)
        #expect(recorder.words == HookRecorder.whole("value"))
    }

    @Test func aCallThatFindsTheClientShutDownDoesNotTakeOff() async throws {
        let client = client(StubTransport { _ in .status(.ok) })
        await client.shutdown()
        #expect(await failure { try await client.get("/") }?.code == .clientShutDown)
        #expect(recorder.words.isEmpty)
    }
}
