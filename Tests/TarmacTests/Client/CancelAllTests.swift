import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacPresentation
import TarmacStreams

// YTK-23; YTK-B5: whoever waits for a cancelled call hears of it.
@Suite("Cancelling from outside", .timeLimit(.minutes(5)))
struct CancelAllTests {
    private let stub = StubTransport { _ in .json(#"{"n":1}"#) }

    private func isCancelled(_ call: Task<some Sendable, any Error>) async -> Bool {
        if case .failure(let error) = await call.result { error is CancellationError } else { false }
    }

    // YTK-23, YTK-B5
    @Test(arguments: Verb.allCases)
    func anAwaitedCallEndsWithACancellation(verb: Verb) async throws {
        stub.hold()
        let recorder = EventRecorder()
        let client = Client(stub) { $0.observers = [recorder] }
        let call = Task { try await verb.fly(client) }
        try await stub.received(count: 1)
        client.cancelAll()
        #expect(await isCancelled(call))
        #expect(!call.isCancelled)
        #expect(recorder.names.filter { ["landed", "failed", "cancelled"].contains($0) } == ["cancelled"])
        try await stub.isIdle()
    }

    // YTK-23
    @Test @MainActor func anOwnerHearsOfItOnce() async throws {
        stub.hold()
        let client = Client(stub)
        let landings = Watched<[String]>([])
        let owner = Owner(landings)
        for delivery in Delivery.allCases { _ = delivery.start(Fated(fate: .value), on: client, owner: owner) }
        try await stub.received(count: Delivery.allCases.count)
        client.cancelAll()
        try await landings.wait { $0.count == Delivery.allCases.count }
        stub.release()
        await client.shutdown()
        #expect(landings.value == Delivery.allCases.map { _ in "cancelled" })
    }

    /// The end of a task group's child costs as many steps as children begun before it are left.
    @Test func callsEndInTheOrderOfTheirStart() async throws {
        let transport = AbortOrder()
        let client = Client(transport: TransportFactory(name: "held") { _ in transport }, services: [Service("s", host: "https://s.example")])
        var calls: [Task<Void, any Error>] = []
        for number in 0..<40 {
            calls.append(Task { try await client.get("/\(number)") })
            try await transport.asked.wait { $0 == number + 1 }
        }
        client.cancelAll()
        #expect(transport.aborted.value == (0..<40).map { "/\($0)" })
        for call in calls { #expect(await isCancelled(call)) }
    }

    @Test func callsMadeAfterwardsFly() async throws {
        let client = Client(stub)
        client.cancelAll()
        try await client.get("/")
    }

    @Test func aCallThatWaitsForASlotIsNeverSent() async throws {
        stub.hold()
        let client = Client(stub, concurrency: 1)
        let first = Task { try await client.get("/1") }
        try await stub.received(count: 1)
        let second = Task { try await client.get("/2") { $0.tags = ["waiting"] } }
        let runtime = try client.engine.runtime(.clientDefault)
        await eventually { runtime.callDispatcher.waiting == 1 }
        client.cancelAll(tagged: "waiting")
        #expect(await isCancelled(second))
        stub.release()
        try await first.value
        #expect(stub.requests.map(\.url.path) == ["/1"])
    }

    @Test func aCallOnItsWayDownIsNotSentAnyMore() async throws {
        let (reached, gate) = (Watched(false), Watched(false))
        let client = Client(stub) {
            $0.interceptors = [
                Intercepting { request, chain in
                    reached.update { $0 = true }
                    try await gate.wait { $0 }
                    return try await chain.proceed(request)
                }
            ]
        }
        let call = Task { try await client.get("/") }
        try await reached.wait { $0 }
        client.cancelAll()
        gate.update { $0 = true }
        #expect(await isCancelled(call))
        #expect(stub.requests.isEmpty)
    }

    @Test func aCallThatIsLandingIsCancelledAllTheSame() async throws {
        let (reached, gate) = (Watched(false), Watched(false))
        struct Slow: Endpoint {
            typealias Value = Number
            static let route: Route = .get("/")
            let reached: Watched<Bool>, gate: Watched<Bool>
            func didLand(_ landed: Landed<Number>) async throws {
                reached.update { $0 = true }
                try await gate.wait { $0 }
            }
        }
        let client = Client(stub)
        let call = Task { try await client.send(Slow(reached: reached, gate: gate)) }
        try await reached.wait { $0 }
        client.cancelAll()
        gate.update { $0 = true }
        #expect(await isCancelled(call))
    }

    @Test func aStreamThatIsReadEnds() async throws {
        let gate = Watched(false)
        let stub = StubTransport { _ in
            .stream(
                ByteStream {
                    EndlessSource(gate: gate)
                })
        }
        let client = Client(stub)
        let read = Watched(0)
        let call = Task {
            try await client.stream(.get("/")) { response in
                do { for try await chunk in response.body { read.update { $0 += chunk.count } } } catch is CancellationError {}
                return "the caller's own way to look away"
            }
        }
        try await read.wait { $0 > 0 }
        client.cancelAll()
        gate.update { $0 = true }
        #expect(await isCancelled(call))
    }

    @Test func tagsServicesAndOwnersAreToldApart() async throws {
        stub.hold()
        let services = ["a", "b"].map { Service($0, host: Hosts("https://\($0).example")) }
        let client = Client(transport: .stub(stub), services: services)
        let landings = (0..<2).map { _ in Watched<[String]>([]) }
        let owners = landings.map { Owner($0) }
        for owner in owners { client.startAnywhere(Fated(fate: .value), owner: owner) { $0.land($1) } }
        let tagged = Task { try await client.get("/tagged") { $0.tags = ["x", "y"] } }
        let plain = Task { try await client.get("/plain") { $0.tags = ["z"] } }
        let other = Task { try await client[services[1]].get("/other") }
        try await stub.received(count: 5)
        client.cancelAll(tagged: "x")
        #expect(await isCancelled(tagged))
        client.cancelAll(ownedBy: owners[0])
        try await landings[0].wait { $0 == ["cancelled"] }
        client.cancelAll(to: services[1])
        #expect(await isCancelled(other))
        #expect(stub.inFlight == 2)
        client.cancelAll(to: .clientDefault)
        #expect(await isCancelled(plain))
        try await landings[1].wait { $0 == ["cancelled"] }
        // An owner that nobody holds any more would take its call along.
        withExtendedLifetime(owners) {}
    }

    @Test @MainActor func workOfAnOwnerEndsBetweenItsCallsToo() async throws {
        let client = Client(stub)
        let (landings, reached) = (Watched<[String]>([]), Watched(false))
        let owner = Owner(landings)
        client.start(
            ClientWork { client in
                reached.update { $0 = true }
                try await Watched(false).wait { $0 }
                return try await client.send(Fated(fate: .value))
            }, owner: owner
        ) {
            $0.land($1)
        }
        try await reached.wait { $0 }
        client.cancelAll(ownedBy: owner)
        try await landings.wait { !$0.isEmpty }
        #expect(landings.value == ["cancelled"])
    }

    @Test func ofAWholeThatWasCancelledNothingMoreFlies() async throws {
        stub.hold()
        let client = Client(stub)
        let whole = Task {
            try await client.flyingAsOne(.batch, name: "batch", tags: ["whole"]) { client in
                _ = try? await client.get("/1")
                try await client.presenting { try await $0.get("/2") }
            }
        }
        let other = Task { try await client.get("/other") }
        try await stub.received(count: 2)
        client.cancelAll(tagged: "whole")
        #expect(await isCancelled(whole))
        stub.release()
        try await other.value
        #expect(Set(stub.requests.map(\.url.path)) == ["/1", "/other"])
    }
}

/// Answers nothing, and notes which requests are aborted.
private final class AbortOrder: Transport {
    let name = "held"
    let capabilities: TransportCapabilities = []
    let asked = Watched(0), aborted = Watched<[String]>([])

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        let reason = Watched<Exchange.AbortReason?>(nil)
        exchange.onAbort { [aborted] given in
            aborted.update { $0.append(request.url.path) }
            reason.update { $0 = given }
        }
        asked.update { $0 += 1 }
        throw try await reason.wait { $0 != nil }?.error ?? CancellationError()
    }

    func shutdown() async {}
}

/// One chunk, and then nothing until the gate opens.
private final class EndlessSource: ByteStreamSource {
    private let gate: Watched<Bool>
    private let sent = Watched(false)
    init(gate: Watched<Bool>) { self.gate = gate }

    func next() async throws -> Bytes? {
        let isFirst = sent.update { sent in
            defer { sent = true }
            return !sent
        }
        if isFirst { return Bytes("chunk") }
        _ = try await gate.wait { $0 }
        return Bytes("chunk")
    }
}
