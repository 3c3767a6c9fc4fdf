import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

/// How a call of these tests comes to its end.
enum Fate: String, CaseIterable, Sendable {
    case value, serverError, decodingFailure, transportFailure, throwingHook, throwingInterceptor, badInput
    case cancelled, shutDown, timeLimit

    /// Whether the call has to be in flight before it can meet its fate.
    var needsFlight: Bool { self == .cancelled || self == .shutDown || self == .timeLimit }

    var landing: String {
        switch self {
        case .value: "value"
        case .serverError: "unacceptableStatus"
        case .decodingFailure: "decodingFailed"
        case .transportFailure: "transportFailed"
        case .throwingHook: "callerFailed"
        case .throwingInterceptor: "callerFailed"
        case .badInput: "invalidParameter"
        case .cancelled: "cancelled"
        case .shutDown: "clientShutDown"
        case .timeLimit: "timeout"
        }
    }

    func answer() throws -> Response {
        switch self {
        case .serverError: .json("{}", status: .internalServerError)
        case .decodingFailure: .json(#"{"n":"one"}"#)
        case .transportFailure: throw Foreign()
        default: .json(#"{"n":1}"#)
        }
    }
}

/// A call with a fate.
struct Fated: Endpoint {
    typealias Value = Number
    static let route: Route = .get("/fate")
    let fate: Fate

    func configure(_ options: inout Options) {
        options.timeout = .seconds(5)
        if fate == .badInput { options.headers["X-Bad"] = "a\r\nb" }
        if fate == .throwingInterceptor { options.interceptors.append(Intercepting { _, _ in throw Foreign() }) }
    }

    func didLand(_ landed: Landed<Number>) async throws {
        if fate == .throwingHook { throw Foreign() }
    }
}

/// The public ways to bind a call to an owner.
enum Delivery: String, CaseIterable, Sendable {
    case start, work, anywhere, workAnywhere, method, delegate, slot

    /// Starts the call; returns how to cancel it.
    @MainActor
    func start(_ endpoint: Fated, on client: Client, owner: Owner) -> @MainActor () -> Void {
        switch self {
        case .start: client.start(endpoint, owner: owner) { $0.land($1) }.cancel
        case .work:
            client.start(
                ClientWork {
                    try await $0.send(endpoint)
                }, owner: owner
            ) {
                $0.land($1)
            }.cancel
        case .anywhere: client.startAnywhere(endpoint, owner: owner) { $0.land($1) }.cancel
        case .workAnywhere:
            client.startAnywhere(
                ClientWork {
                    try await $0.send(endpoint)
                }, owner: owner
            ) {
                $0.land($1)
            }.cancel
        case .method: held(client.call(endpoint, owner: owner, landed: Owner.landed))
        case .delegate: held(client.call(endpoint, delegate: owner))
        case .slot: slotted(endpoint, client, owner)
        }
    }

    @MainActor
    private func held(_ call: Call<Fated>) -> @MainActor () -> Void {
        call.start()
        return { call.cancel() }
    }

    @MainActor
    private func slotted(_ endpoint: Fated, _ client: Client, _ owner: Owner) -> @MainActor () -> Void {
        let slot = CallSlot(.queue)
        slot.start(endpoint, on: client, owner: owner) { $0.land($1) }
        return { slot.cancel() }
    }
}

@MainActor
@Suite("Law 1: every call lands exactly once", .timeLimit(.minutes(5)))
struct Law1Tests {
    private let landings = Watched<[String]>([])
    private let time = ManualTime()

    private func meet(_ fate: Fate, _ stub: StubTransport, _ client: Client, cancel: () -> Void) async throws {
        guard fate.needsFlight else { return }
        try await stub.received(count: 1)
        switch fate {
        case .cancelled:
            cancel()
            cancel()
        case .shutDown: await client.shutdown()
        default:
            try await time.hasSleepers()
            time.advance(by: .seconds(6))
        }
    }

    @Test(arguments: Fate.allCases, Delivery.allCases)
    func everyWayToEndLandsOnce(fate: Fate, delivery: Delivery) async throws {
        let stub = StubTransport { _ in try fate.answer() }
        let client = Client(stub, time: time)
        if fate.needsFlight { stub.hold() }
        let owner = Owner(landings)
        let cancel = delivery.start(Fated(fate: fate), on: client, owner: owner)
        try await meet(fate, stub, client, cancel: cancel)
        try await landings.wait { !$0.isEmpty }
        stub.release()
        cancel()
        await client.shutdown()
        for _ in 0..<5 { await Task.yield() }
        #expect(landings.value == [fate.landing])
        #expect(owner.lifetime.callsInFlight == 0)
    }

    @Test(arguments: [Fate.value, .serverError, .decodingFailure, .transportFailure, .throwingHook], Delivery.allCases)
    func anOwnerThatIsGoneHearsNothing(fate: Fate, delivery: Delivery) async throws {
        let stub = StubTransport { _ in try fate.answer() }
        let client = Client(stub, time: time)
        stub.hold()
        var owner: Owner? = Owner(landings)
        let lifetime = Weak(owner!.lifetime)
        let cancel = delivery.start(Fated(fate: fate), on: client, owner: owner!)
        owner = nil
        #expect(lifetime.object == nil)
        stub.release()
        cancel()
        await client.shutdown()
        for _ in 0..<5 { await Task.yield() }
        #expect(landings.value == [])
    }

    @Test(.heavy) func aCancelThatRacesTheLandingLeavesOneLandingAndItsOwn() async throws {
        let client = Client(StubTransport { _ in .json(#"{"n":1}"#) })
        var random = SeededGenerator(seed: 1)
        for round in 0..<1_000 {
            let landings = Watched<[String]>([])
            let owner = Owner(landings)
            let spins = Int.random(in: 0..<2_000, using: &random)
            let handle = client.startAnywhere(Fated(fate: .value), owner: owner) { $0.land($1) }
            let canceller = Task.detached {
                for _ in 0..<spins { _ = handle.hasLanded }
                handle.cancel()
            }
            try await landings.wait { !$0.isEmpty }
            await canceller.value
            #expect(landings.value == [handle.isCancelled ? "cancelled" : "value"], "round \(round)")
        }
    }

    @Test func manyCancelsAtOnceLandOnce() async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        stub.hold()
        let client = Client(stub)
        let owner = Owner(landings)
        let handle = client.start(Fated(fate: .value), owner: owner) { $0.land($1) }
        try await stub.received(count: 1)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { handle.cancel() } }
            for _ in 0..<50 { group.addTask { owner.lifetime.cancelAll() } }
        }
        try await landings.wait { !$0.isEmpty }
        await client.shutdown()
        #expect(landings.value == ["cancelled"])
    }

    @Test func aCancelledSlotLandsThoseThatWaitToo() async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        stub.hold()
        let client = Client(stub)
        let (slot, owner) = (CallSlot(.queue), Owner(landings))
        for _ in 0..<3 { slot.start(Fated(fate: .value), on: client, owner: owner) { $0.land($1) } }
        try await stub.received(count: 1)
        slot.cancel()
        try await landings.wait { $0.count >= 3 }
        stub.release()
        await client.shutdown()
        #expect(landings.value == ["cancelled", "cancelled", "cancelled"])
        #expect(stub.requests.count == 1)
    }

    @Test func anOwnerThatLeavesTheQueueDoesNotStrandThoseBehindIt() async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        stub.hold()
        let client = Client(stub)
        let (slot, owner) = (CallSlot(.queue), Owner(landings))
        var leaving: Owner? = Owner(Watched([]))
        slot.start(Fated(fate: .value), on: client, owner: owner) { $0.land($1) }
        slot.start(Fated(fate: .value), on: client, owner: leaving!) { $0.land($1) }
        slot.start(Fated(fate: .value), on: client, owner: owner) { $0.land($1) }
        leaving = nil
        try await stub.received(count: 1)
        stub.release()
        try await landings.wait { $0.count >= 2 }
        #expect(landings.value == ["value", "value"])
    }

    @Test func aSlotNobodyHoldsStillLandsItsCalls() async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        stub.hold()
        let client = Client(stub)
        let owner = Owner(landings)
        var slot: CallSlot? = CallSlot(.queue)
        for _ in 0..<3 { slot?.start(Fated(fate: .value), on: client, owner: owner) { $0.land($1) } }
        slot = nil
        stub.release()
        try await landings.wait { $0.count >= 3 }
        #expect(landings.value == ["value", "value", "value"])
    }

    @Test func aTaskThatIsCancelledThrowsOneCancellationErrorFromEveryVerb() async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        stub.hold()
        let recorder = EventRecorder()
        let client = Client(stub) { $0.observers.append(recorder) }
        for (index, verb) in Verb.allCases.enumerated() {
            let call = Task { try await verb.fly(client) }
            try await stub.received(count: index + 1)
            call.cancel()
            await #expect(throws: CancellationError.self, "\(verb)") { try await call.value }
        }
        let ends = recorder.names.filter { ["landed", "failed", "cancelled"].contains($0) }
        #expect(ends == Verb.allCases.map { _ in "cancelled" })
        try await stub.isIdle()
    }
}
