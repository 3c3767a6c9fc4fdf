import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacTraffic

/// Law 1 with everything racing: hedges, faults and repeats, and every call lands once.
@Suite("Hedging: a storm", .timeLimit(.minutes(3)), .heavy)
struct HedgeStormTests {
    @Test func everyCallLandsOnceAndNothingIsLeftBehind() async throws {
        let ledger = FaultLedger()
        let stub = StubTransport.faulty(.seeded(11, rate: 0.2), ledger: ledger) { request in
            await Task.yield()
            return .text(request.url.path)
        }
        let landings = Locked([Int: Int]())
        let client = Client(stub) {
            $0.retry = .exponential(maxAttempts: 6, base: .zero) { $0.budget = .unlimited }
            $0.hedge = .after(.zero, atMost: 2) { $0.budget = .unlimited }
        }
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<20 {
                group.addTask {
                    for call in stride(from: lane, to: 2_000, by: 20) {
                        let value = call % 4 == 3 ? nil : try? await client.get("/\(call)", as: String.self)
                        if call % 4 == 3 { try? await client.post("/\(call)", ["n": 1]) }
                        if let value { #expect(value == "/\(call)") }
                        landings.withLock { $0[call, default: 0] += 1 }
                    }
                }
            }
        }
        #expect(landings.withLock { $0.count == 2_000 && $0.values.allSatisfy { $0 == 1 } })
        #expect(ledger.harm.isEmpty)
        try await stub.isIdle()
        let runtime = try client.engine.runtime(.clientDefault)
        await eventually { runtime.callsInFlight == 0 }
        await client.shutdown()
    }
}
