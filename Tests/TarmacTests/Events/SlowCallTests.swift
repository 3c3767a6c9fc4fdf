import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

@Suite("Slow calls", .timeLimit(.minutes(5)))
struct SlowCallTests {
    private let time = ManualTime()
    private let recorder = EventRecorder()

    private func client(_ stub: StubTransport) -> Client {
        Client(stub, time: time) {
            $0.slowCall = .seconds(2)
            $0.observers = [recorder]
        }
    }

    @Test func aCallThatTakesLongSaysSoOnce() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let client = client(stub)
        stub.hold()
        let call = Task { try await client.get("/a") }
        try await stub.received()
        try await time.hasSleepers()
        time.advance(by: .seconds(2))
        try await recorder.received { if case .slow(after: .seconds(2)) = $0.kind { true } else { false } }
        try await time.hasSleepers()
        time.advance(by: .seconds(3))
        stub.release()
        try await call.value
        #expect(recorder.names.filter { $0 == "slow" }.count == 1)
        #expect(recorder.names.last == "landed")
    }

    @Test func aQuickOneSaysNothingAndLeavesNothingBehind() async throws {
        let client = client(StubTransport { _ in .status(.ok) })
        for _ in 0..<50 { try await client.get("/a") }
        time.advance(by: .seconds(10))
        #expect(!recorder.names.contains("slow"))
        let runtime = try client.engine.runtime(.clientDefault)
        #expect(runtime.deadlines.count == 0)
    }

    @Test func aLimitOfNothingIsRefused() async {
        let error = await failure { try await Client(StubTransport { _ in .status(.ok) }) { $0.slowCall = .seconds(0) }.get("/") }
        #expect(error?.code == .invalidOption)
    }
}
