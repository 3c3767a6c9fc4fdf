import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@Suite("Timeouts")
struct TimeoutTests {
    private let time = ManualTime()
    private let stub = StubTransport { _ in .status(.ok) }

    private func client(_ configure: (inout Options) -> Void) -> Client {
        Client(transport: .stub(stub), services: [Service("s", host: "http://s.example")], time: time, configure: configure)
    }

    @Test(arguments: [("timeout", TarmacError.Code.timeout), ("deadline", .deadlineExceeded)])
    func aLimitEndsTheCallAndNamesItself(limit: String, code: TarmacError.Code) async throws {
        let client = client {
            $0.timeout = limit == "timeout" ? .seconds(5) : .unlimited
            $0.deadline = limit == "deadline" ? .seconds(5) : .unlimited
            $0.connectTimeout = .unlimited
            $0.idleTimeout = .unlimited
        }
        stub.hold()
        let call = Task { try await client.get("/slow") }
        try await stub.received(count: 1)
        try await time.hasSleepers(count: 1)
        time.advance(by: .seconds(6))
        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == code)
        #expect(error?.attempts == 1)
        try await stub.isIdle()
    }

    @Test func aCallThatLandsInTimeLeavesNothingToWaitFor() async throws {
        let client = client { $0.timeout = .seconds(5) }
        for _ in 0..<100 { try await client.get("/fast") }
        #expect(time.sleepers <= 1)
    }

    @Test(arguments: [TimeLimit.seconds(0), .seconds(-1), .seconds(Double.nan), .seconds(Double.infinity), .milliseconds(-5)])
    func anImpossibleLimitIsRefusedBeforeAnythingIsSent(limit: TimeLimit) async throws {
        let error = await #expect(throws: TarmacError.self) { try await client { $0.timeout = limit }.get("/") }
        #expect(error?.code == .invalidOption)
        #expect(error?.reason.contains("timeout") == true)
        #expect(stub.requests.isEmpty)
    }
}
