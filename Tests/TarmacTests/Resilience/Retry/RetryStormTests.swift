import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience

/// 10,000 calls through 20 % faults: every call lands once, no request that is not idempotent arrives twice without its key,
/// and attempts equal the policy. Seeded: which request fails, and how, hangs on the call's method, path and repetition alone.
@Suite("Retry: a storm", .timeLimit(.minutes(3)), .heavy)
struct RetryStormTests {
    private static let faults: [Fault] = [
        .refuse, .loseResponse, .reset(atByte: 9), .truncate(toBytes: 1), .garbage, .wrongLength(by: 5), .status(500),
        .status(503), .status(429, retryAfter: 0),
    ]
    private static let plan = FaultPlan.seeded(5, rate: 0.2, faults)
    private static let maxAttempts = 4
    private static let calls = 10_000

    /// A call is a GET, a POST without a key, or one with a key.
    private enum Kind: Int { case read, bare, keyed }
    private static func kind(_ call: Int) -> Kind { Kind(rawValue: call % 3) ?? .read }
    private static func method(_ call: Int) -> String { kind(call) == .read ? "GET" : "POST" }

    /// How many requests the policy asks for, and whether the last one lands.
    private static func expected(_ call: Int) -> (attempts: Int, lands: Bool) {
        for attempt in 1...maxAttempts {
            let arrival = FaultPlan.Arrival(method: method(call), target: "/\(call)", repetition: attempt, number: 0)
            guard let fault = plan.fault(of: arrival) else { return (attempt, true) }
            // A client cannot know that what it got no good answer to was not acted on, unless it was refused.
            if fault != .refuse, kind(call) == .bare { return (attempt, false) }
        }
        return (maxAttempts, false)
    }

    @Test func tenThousandCallsLandOnceAndNothingIsDoneTwice() async throws {
        let ledger = FaultLedger(), landings = Locked([Int: Int]())
        let stub = StubTransport.faulty(Self.plan, ledger: ledger)
        let client = Client(
            transport: .stub(stub), services: [Service("s", host: "https://s.example")], randomness: SeededGenerator(seed: 5)
        ) {
            $0.retry = .exponential(maxAttempts: Self.maxAttempts, base: .zero) { $0.budget = .unlimited }
        }
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<50 {
                group.addTask {
                    for call in stride(from: lane, to: Self.calls, by: 50) {
                        await Self.fly(call, client)
                        landings.withLock { $0[call, default: 0] += 1 }
                    }
                }
            }
        }
        #expect(landings.withLock { $0.count == Self.calls && $0.values.allSatisfy { $0 == 1 } })
        #expect(ledger.harm.isEmpty)
        #expect(Set(ledger.faults.keys) == Set(Self.faults))
        for call in 0..<Self.calls {
            #expect(ledger.arrivals(Self.method(call), "/\(call)") == Self.expected(call).attempts, "call \(call)")
        }
        Self.checkKeys(ledger)
    }

    /// What was done for one call was done under one key, and under none where the call had none.
    private static func checkKeys(_ ledger: FaultLedger) {
        for (target, deeds) in Dictionary(grouping: ledger.deeds.keys, by: \.target) {
            let call = Int(target.dropFirst()) ?? -1
            #expect(deeds.count == 1, "call \(call) has several keys")
            #expect((deeds[0].idempotencyKey != nil) == (kind(call) == .keyed), "call \(call)")
        }
    }

    private static func fly(_ call: Int, _ client: Client) async {
        let expected = expected(call)
        do {
            let endpoint: InlineEndpoint<Void> = kind(call) == .read ? .get("/\(call)") : .post("/\(call)", ["n": 1])
            let landed = try await client.landed(for: endpoint) { if kind(call) == .keyed { $0.idempotencyKey = .automatic } }
            #expect(expected.lands && landed.attempts == expected.attempts, "call \(call)")
        } catch {
            let error = error as? TarmacError
            #expect(!expected.lands && error?.attempts == expected.attempts && error?.failedAttempts.count == expected.attempts, "call \(call)")
        }
    }
}
