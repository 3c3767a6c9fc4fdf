import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
@testable import TarmacTraffic

@Suite("Circuit breaker", .timeLimit(.minutes(5)))
struct BreakerTests {
    private let time = ManualTime()
    private let recorder = EventRecorder()
    private let isDown = Watched(true)

    private func client(_ stub: StubTransport, configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(
            transport: .stub(stub), services: [Service("s", host: Hosts("https://s.example", cdn: "https://cdn.example"))], time: time
        ) {
            $0.circuitBreaker = .ratio(0.5, of: 4, opensFor: .seconds(5))
            $0.observers = [recorder]
            configure(&$0)
        }
    }

    private var stub: StubTransport {
        StubTransport { [isDown] request in
            if isDown.value, request.url.host == "s.example" { return .status(.serviceUnavailable) }
            return .json("{}")
        }
    }

    @Test func anOpenCircuitSendsNothingUntilItIsProbed() async throws {
        let stub = stub
        let client = client(stub)
        for _ in 0..<4 { _ = await failure { try await client.get("/a") } }
        let error = try #require(await failure { try await client.get("/a") })
        #expect(error.code == .circuitOpen && error.attempts == 0 && stub.requests.count == 4)
        #expect(error.cause(as: CircuitOpen.self) == CircuitOpen(origin: try HTTPURL("https://s.example").origin, remaining: .seconds(5)))
        #expect(error.reason.contains("probed again in 5 s"))
        isDown.update { $0 = false }
        time.advance(by: .seconds(5))
        try await client.get("/a")
        try await client.get("/a")
        #expect(stub.requests.count == 6)
        #expect(recorder.names.filter { $0.hasPrefix("circuit") } == ["circuitOpened", "circuitClosed"])
    }

    @Test func eachHostAndEachServiceHasACircuitOfItsOwn() async throws {
        let stub = stub
        let client = client(stub)
        for _ in 0..<4 { _ = await failure { try await client.get("/a") } }
        _ = try await client.get("/a", as: JSON.self) { $0.host = .cdn }
        let other = self.client(stub)
        let error = await failure { try await other.get("/a") }
        #expect(error?.code == .unacceptableStatus)
    }

    @Test func aCancelledProbeMakesRoomForAnother() async throws {
        let stub = stub
        let client = client(stub)
        for _ in 0..<4 { _ = await failure { try await client.get("/a") } }
        time.advance(by: .seconds(5))
        stub.hold()
        let probe = Task { try await client.get("/probe") }
        try await stub.received(count: 5)
        let refused = await failure { try await client.get("/a") }
        #expect(refused?.code == .circuitOpen && refused?.cause(as: CircuitOpen.self)?.remaining == .zero)
        probe.cancel()
        await #expect(throws: CancellationError.self) { try await probe.value }
        isDown.update { $0 = false }
        stub.release()
        try await client.get("/a")
    }

    @Test func anOpenCircuitIsNotTriedAgainButFailsOver() async throws {
        let stub = StubTransport { request in
            if request.url.host == "cdn.example" { throw TarmacError(.connectionRefused, phase: .connecting) }
            return .json("{}")
        }
        let client = client(stub) {
            $0.retry = .exponential(base: .zero)
            $0.circuitBreaker = .ratio(0.5, of: 4, within: .seconds(600), opensFor: .seconds(600))
        }
        for _ in 0..<6 {
            _ = try await client.get("/a", as: JSON.self) { $0.host = .cdn }
            // Past the failover's own memory.
            time.advance(by: .seconds(60))
        }
        #expect(stub.requests.filter { $0.url.host == "cdn.example" }.count == 4)
        #expect(stub.requests.filter { $0.url.host == "s.example" }.count == 6)
    }

    @Test(arguments: [CircuitBreakerRule.ratio(0), .ratio(1.1), .ratio(.nan), .ratio(0.5, of: 0), .ratio(0.5, within: .zero), .ratio(0.5, probes: 0)])
    func anImpossibleRuleIsRefused(rule: CircuitBreakerRule) async {
        let stub = stub
        let error = await failure { try await client(stub) { $0.circuitBreaker = rule }.get("/a") }
        #expect(error?.code == .invalidOption && stub.requests.isEmpty)
        #expect(hasStage(BreakerInterceptor.self) == false)
    }
}
