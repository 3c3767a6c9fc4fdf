import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacTraffic

/// Field.md §3: a call that finds no network waits for one instead of failing. No test waits: time is manual.
@Suite("Waiting for connectivity", .timeLimit(.minutes(5)))
struct ConnectivityTests {
    private let time = ManualTime()
    private let recorder = EventRecorder()
    private let network = Network()

    /// A network that is there when the test says so, for the stub and, where it tells, for the monitor.
    private final class Network: ConnectivityMonitor {
        let isUp = Watched(false)
        /// What the monitor says; `nil` to say nothing.
        let told = Watched<Connectivity?>(nil)
        let listeners = Watched(0)

        func states() -> AsyncStream<Connectivity> {
            AsyncStream { continuation in
                listeners.update { $0 += 1 }
                // LIFETIME: cancelled when the stream is dropped.
                let task = Task { [told] in
                    var last: Connectivity?
                    while let next = try? await told.wait(until: { [last] in $0 != last }) {
                        last = next
                        continuation.yield(next)
                    }
                }
                continuation.onTermination = { [listeners] _ in
                    task.cancel()
                    listeners.update { $0 -= 1 }
                }
            }
        }

        func request(_ code: TarmacError.Code = .cannotFindHost) throws -> Response {
            if !isUp.value { throw TarmacError(code, phase: .connecting) }
            return .text("ok")
        }
    }

    private func client(_ stub: StubTransport, configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], concurrency: 2, time: time, connectivity: network) {
            $0.waitsForConnectivity = true
            $0.timeout = .unlimited
            $0.connectTimeout = .unlimited
            $0.idleTimeout = .unlimited
            $0.observers = [recorder]
            configure(&$0)
        }
    }

    private var stub: StubTransport { StubTransport { [network] _ in try network.request() } }
    private var waits: Int { recorder.names.filter { $0 == "waitingForConnectivity" }.count }

    /// Lets a pause of exactly this length pass.
    private func pass(_ span: Duration) async {
        await eventually { time.nextDeadline == span }
        time.advance(by: span)
    }

    // MARK: The decision

    private struct Row: Sendable {
        let state: Connectivity?
        let wasSentConnected: Bool
        let limit: Int?
        let decision: ConnectivityPolicy.Decision
    }

    private static let rows = [
        Row(state: nil, wasSentConnected: false, limit: nil, decision: .probe),
        Row(state: .unknown, wasSentConnected: false, limit: 1, decision: .probe),
        Row(state: .disconnected, wasSentConnected: false, limit: nil, decision: .wait),
        Row(state: .disconnected, wasSentConnected: true, limit: nil, decision: .wait),
        Row(state: .connected, wasSentConnected: false, limit: nil, decision: .send),
        Row(state: .connected, wasSentConnected: true, limit: nil, decision: .fail),
        Row(state: .connected, wasSentConnected: false, limit: 0, decision: .fail),
        Row(state: .disconnected, wasSentConnected: false, limit: -1, decision: .fail),
    ]

    @Test(arguments: rows) private func theMonitorAndTheLimitDecide(row: Row) throws {
        let now = Moment.now
        let policy = ConnectivityPolicy(state: row.state, wasSentConnected: row.wasSentConnected, limit: row.limit.map { now + .seconds($0) })
        let request = Request(.post, try HTTPURL("https://s.example"), body: .text("x"))
        #expect(policy.decide(request, TarmacError(.cannotFindHost, phase: .connecting), now: now) == row.decision)
    }

    @Test(
        arguments: [
            (.cannotFindHost, .connecting, true), (.connectTimeout, .connecting, true), (.connectionFailed, .connecting, true),
            (.connectionFailed, .sending, false), (.connectionRefused, .connecting, false), (.connectionLost, .waiting, false), (.timeout, .waiting, false),
            (.untrustedCertificate, .connecting, false), (.circuitOpen, .connecting, false),
        ] as [(TarmacError.Code, TarmacError.Phase, Bool)])
    func onlyWhatNeverLeftIsWaitedFor(code: TarmacError.Code, phase: TarmacError.Phase, waits: Bool) throws {
        let policy = ConnectivityPolicy(state: .disconnected, wasSentConnected: false, limit: nil)
        let decision = policy.decide(Request(.get, try HTTPURL("https://s.example")), TarmacError(code, phase: phase), now: .now)
        #expect(decision == (waits ? .wait : .fail))
    }

    @Test func aBodyThatCanBeReadOnceIsNotWaitedWith() throws {
        let request = Request(.put, try HTTPURL("https://s.example"), body: .stream(ByteStream(AsyncStream { $0.finish() })))
        let policy = ConnectivityPolicy(state: .disconnected, wasSentConnected: false, limit: nil)
        #expect(policy.decide(request, TarmacError(.cannotFindHost, phase: .connecting), now: .now) == .fail)
    }

    // MARK: Where nothing is known

    // XF-9: where nobody tells whether there is a network, a call that waits looks for itself.
    @Test func aCallLooksForItselfLessAndLessOften() async throws {
        let stub = stub, client = client(stub)
        let call = Task { try await client.landed(for: .post("/a", ["n": 1])) }
        for seconds in [1, 2, 4, 8, 16, 30, 30] { await pass(.seconds(seconds)) }
        try await stub.received(count: 8)
        network.isUp.update { $0 = true }
        await pass(.seconds(30))
        let landed = try await call.value
        #expect(landed.attempts == 9 && waits == 1)
        #expect(recorder.names.last == "landed")
    }

    // YTK-B18
    @Test func oneOfAHostsCallsLooksAndWakesTheOthers() async throws {
        let stub = stub, client = client(stub)
        let calls = (0..<20).map { number in Task { try await client.get("/\(number)", as: String.self) } }
        await eventually { waits == 20 }
        #expect(stub.requests.count == 20)
        let gate = try client.engine.runtime(.clientDefault).scope.resilience.connectivity
        for (span, requests) in [(1, 21), (2, 22)] {
            await eventually { gate.paused == 20 && time.nextDeadline.map { $0 > .zero } ?? false }
            time.advance(by: .seconds(span))
            try await stub.received(count: requests)
        }
        await eventually { gate.paused == 20 && time.nextDeadline.map { $0 > .zero } ?? false }
        #expect(stub.requests.count == 22)
        network.isUp.update { $0 = true }
        time.advance(by: .seconds(4))
        for call in calls { #expect(try await call.value == "ok") }
        #expect(stub.requests.count == 42)
    }

    @Test func whoWaitsHoldsNoSlot() async throws {
        let stub = StubTransport { [network] request in request.url.path == "/b" ? .text("b") : try network.request() }
        let client = client(stub) { $0.failover = .off }
        let calls = (0..<5).map { _ in Task { try await client.get("/a", as: String.self) } }
        await eventually { waits == 5 }
        #expect(try await client.get("/b", as: String.self) == "b")
        network.isUp.update { $0 = true }
        // What another call reached is there for all.
        _ = try await client.get("/c", as: String.self)
        for call in calls { #expect(try await call.value == "ok") }
    }

    // MARK: Where the platform tells

    // YTK-B18, XF-B4: a network that is known to be away stops no new call: it is sent before it waits.
    @Test func aCallIsSentThoughTheNetworkIsKnownToBeAway() async throws {
        network.told.update { $0 = .disconnected }
        let stub = stub, client = client(stub)
        let first = Task { try await client.get("/a", as: String.self) }
        await eventually { waits == 1 }
        let gate = try client.engine.runtime(.clientDefault).scope.resilience.connectivity
        await eventually { gate.look.connectivity == .disconnected }
        let second = Task { try await client.get("/b", as: String.self) }
        await eventually { waits == 2 }
        #expect(stub.requests.map(\.url.path) == ["/a", "/b"])
        network.isUp.update { $0 = true }
        network.told.update { $0 = .connected }
        for call in [first, second] { #expect(try await call.value == "ok") }
    }

    // XF-9, XF-B4, YTK-38
    @Test func withoutANetworkNothingIsSentUntilThereIsOne() async throws {
        network.told.update { $0 = .disconnected }
        let stub = stub, client = client(stub)
        let call = Task { try await client.get("/a", as: String.self) }
        await eventually { waits == 1 }
        let gate = try client.engine.runtime(.clientDefault).scope.resilience.connectivity
        await eventually { gate.look.connectivity == .disconnected }
        time.advance(by: .seconds(3_600))
        for _ in 0..<100 { await Task.yield() }
        #expect(stub.requests.count == 1)
        let before = stub.requests.count
        network.isUp.update { $0 = true }
        network.told.update { $0 = .connected }
        #expect(try await call.value == "ok")
        #expect(stub.requests.count == before + 1)
        await eventually { network.listeners.value == 0 }
        #expect(gate.waiting == 0 && gate.paused == 0)
    }

    @Test func aHostThatIsNotThereAlthoughTheNetworkIsFails() async throws {
        network.told.update { $0 = .connected }
        let stub = stub, client = client(stub)
        let call = Task { await failure { _ = try await client.get("/a", as: String.self) } }
        let gate = try client.engine.runtime(.clientDefault).scope.resilience.connectivity
        await eventually { gate.look.connectivity == .connected || recorder.names.contains("failed") }
        let error = await call.value
        #expect(error?.code == .cannotFindHost && error?.attempts == 2)
    }

    @Test func aSecondOutageIsWaitedOutLikeTheFirst() async throws {
        network.told.update { $0 = .disconnected }
        let (sent, isAnswered) = (Watched(0), Watched(false))
        let stub = StubTransport { [network] _ in
            sent.update { $0 += 1 }
            if sent.value == 2 {
                // The network that was there for a moment is gone before the request has found its way.
                network.told.update { $0 = .disconnected }
                _ = try await isAnswered.wait { $0 }
            }
            return try network.request()
        }
        let client = client(stub)
        let gate = try client.engine.runtime(.clientDefault).scope.resilience.connectivity
        let call = Task { try await client.landed(for: .get("/a", as: String.self)) }
        await eventually { gate.paused == 1 && gate.look.connectivity == .disconnected }
        network.told.update { $0 = .connected }
        try await stub.received(count: 2)
        await eventually { gate.look.connectivity == .disconnected }
        isAnswered.update { $0 = true }
        await eventually { gate.paused == 1 }
        network.isUp.update { $0 = true }
        network.told.update { $0 = .connected }
        let landed = try await call.value
        #expect(landed.value == "ok" && landed.attempts == 3)
    }

    // MARK: Ends

    @Test(arguments: ["queueTimeout", "deadline"])
    func aWaitEndsWithTheCallsLimitAndWhatWasNotReached(limit: String) async throws {
        let stub = stub
        let client = client(stub) { if limit == "deadline" { $0.deadline = .milliseconds(1_500) } else { $0.queueTimeout = .milliseconds(1_500) } }
        let gate = try client.engine.runtime(.clientDefault).scope.resilience.connectivity
        let call = Task { await failure { _ = try await client.get("/a", as: String.self) } }
        await pass(.seconds(1))
        try await stub.received(count: 2)
        // Its failure has come back.
        await eventually { gate.paused == 1 }
        await pass(.milliseconds(500))
        let error = await call.value
        #expect(error?.code == .cannotFindHost && error?.attempts == 2)
    }

    @Test(arguments: ["task", "client", "shutdown"])
    func aWaitingCallEndsWhenItIsEnded(how: String) async throws {
        let stub = stub, client = client(stub)
        let call = Task { try await client.get("/a", as: String.self) }
        await eventually { waits == 1 }
        switch how {
        case "task": call.cancel()
        case "client": client.cancelAll()
        default: await client.shutdown()
        }
        switch await call.result {
        case .success: Issue.record("it landed")
        case .failure(let error): #expect(how == "shutdown" ? (error as? TarmacError)?.code == .clientShutDown : error is CancellationError)
        }
        #expect(stub.requests.count == 1)
        await eventually { network.listeners.value == 0 }
    }

    @Test func aRetryBeginsBehindTheWaitAndAFailoverBeforeIt() async throws {
        let stub = StubTransport { [network] request in
            if request.url.host == "cdn.example" { throw TarmacError(.cannotFindHost, phase: .connecting) }
            return try network.request()
        }
        let client = Client(
            transport: .stub(stub), services: [Service("s", host: Hosts("https://s.example", cdn: "https://cdn.example"))], time: time,
            connectivity: network
        ) {
            $0.waitsForConnectivity = true
            $0.host = .cdn
            $0.retry = .exponential(maxAttempts: 3, base: .zero)
            $0.timeout = .unlimited
            $0.connectTimeout = .unlimited
            $0.idleTimeout = .unlimited
            $0.observers = [recorder]
        }
        let call = Task { try await client.landed(for: .get("/a", as: String.self)) }
        await eventually { waits == 1 }
        #expect(stub.requests.map(\.url.host) == ["cdn.example", "s.example"])
        network.isUp.update { $0 = true }
        await pass(.seconds(1))
        let landed = try await call.value
        #expect(landed.url.host == "s.example" && !recorder.names.contains("retrying"))
    }

    @Test func theWantOfANetworkOpensNoCircuit() async throws {
        let stub = stub, client = client(stub) { $0.circuitBreaker = .ratio(0.5, of: 2) }
        let calls = (0..<5).map { number in Task { try await client.get("/\(number)", as: String.self) } }
        await eventually { waits == 5 }
        network.isUp.update { $0 = true }
        await pass(.seconds(1))
        for call in calls { #expect(try await call.value == "ok") }
        #expect(!recorder.names.contains("circuitOpened"))
    }

    // YTK-38: listening is a switch, which is off by default: then a call fails at once, and nobody listens.
    @Test func offIsTheDefaultAndCostsNothing() async throws {
        let stub = stub
        let error = await failure { try await client(stub) { $0.waitsForConnectivity = nil }.get("/a") }
        #expect(error?.code == .cannotFindHost && stub.requests.count == 1 && waits == 0)
        #expect(hasStage(ConnectivityInterceptor.self) == false)
        #expect(network.listeners.value == 0)
    }
}
