import HTTPTypes
import TarmacTesting
import Testing

@testable import Tarmac

/// 10,000 calls through 20 % faults: every call lands once, no request that is not idempotent arrives twice without its key,
/// and attempts equal the policy. Seeded: which request fails, and how, hangs on the call's number and the attempt's alone.
@Suite("Retry: a storm", .timeLimit(.minutes(3)))
struct RetryStormTests {
    private enum Fault: Int, CaseIterable {
        case refused, lost, timedOut, truncated, garbled, unavailable

        /// Whether the server has acted before the fault.
        var hasActed: Bool { self != .refused }

        func happen() throws -> Response {
            switch self {
            case .refused: throw TarmacError(.connectionRefused, phase: .connecting)
            case .lost: throw TarmacError(.connectionLost, phase: .waiting)
            case .timedOut: throw TarmacError(.timeout, phase: .waiting)
            case .truncated: throw TarmacError(.truncatedBody, phase: .receiving)
            case .garbled: throw TarmacError(.malformedResponse, phase: .receiving)
            case .unavailable: return .status(.serviceUnavailable)
            }
        }
    }

    private static let maxAttempts = 4

    /// The fault of one attempt of one call, if it has one.
    private static func fault(call: Int, attempt: Int) -> Fault? {
        var generator = SeededGenerator(seed: UInt64(call * 16 + attempt))
        return Int.random(in: 0..<100, using: &generator) < 20 ? Fault.allCases.randomElement(using: &generator) : nil
    }

    /// A call is a GET, a POST without a key, or one with a key.
    private static func isRepeatable(_ call: Int) -> Bool { call % 3 != 1 }

    /// How many requests the policy asks for, and whether the last one lands.
    private static func expected(_ call: Int) -> (attempts: Int, lands: Bool) {
        for attempt in 1...maxAttempts {
            guard let fault = fault(call: call, attempt: attempt) else { return (attempt, true) }
            if fault.hasActed, !isRepeatable(call) { return (attempt, false) }
        }
        return (maxAttempts, false)
    }

    private struct Ledger {
        var arrivals: [Int: Int] = [:]
        /// How often the server acted on a call, by call and key.
        var deeds: [Int: [String?: Int]] = [:]
        var landings: [Int: Int] = [:]
    }

    @Test func tenThousandCallsLandOnceAndNothingIsDoneTwice() async throws {
        let ledger = Locked(Ledger())
        let stub = StubTransport { request in
            let call = Int(request.url.path.dropFirst()) ?? -1
            let fault = ledger.withLock { ledger -> Fault? in
                let attempt = ledger.arrivals[call, default: 0] + 1
                ledger.arrivals[call] = attempt
                let fault = Self.fault(call: call, attempt: attempt)
                if fault?.hasActed ?? true { ledger.deeds[call, default: [:]][request.headers[.idempotencyKey], default: 0] += 1 }
                return fault
            }
            return try fault?.happen() ?? .status(.ok)
        }
        let client = Client(
            transport: .stub(stub), services: [Service("s", host: "https://s.example")], randomness: SeededGenerator(seed: 5)
        ) {
            $0.retry = .exponential(maxAttempts: Self.maxAttempts, base: .zero) { $0.budget = .unlimited }
        }
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<50 {
                group.addTask {
                    for call in stride(from: lane, to: 10_000, by: 50) { await Self.fly(call, client, ledger) }
                }
            }
        }
        let end = ledger.withLock { $0 }
        #expect(end.landings.count == 10_000 && end.landings.values.allSatisfy { $0 == 1 })
        for call in 0..<10_000 {
            #expect(end.arrivals[call] == Self.expected(call).attempts, "call \(call)")
            let deeds = end.deeds[call] ?? [:]
            #expect(deeds.count <= 1, "call \(call) has several keys")
            if call % 3 == 1 { #expect(deeds[nil, default: 0] <= 1, "call \(call) was done twice without a key") }
            if call % 3 == 2 { #expect(deeds[nil] == nil, "call \(call) lost its key") }
        }
    }

    private static func fly(_ call: Int, _ client: Client, _ ledger: Locked<Ledger>) async {
        let expected = expected(call)
        do {
            let endpoint: InlineEndpoint<Void> = call % 3 == 0 ? .get("/\(call)") : .post("/\(call)", ["n": 1])
            let landed = try await client.landed(for: endpoint) { if call % 3 == 2 { $0.idempotencyKey = .automatic } }
            #expect(expected.lands && landed.attempts == expected.attempts, "call \(call)")
        } catch {
            let error = error as? TarmacError
            #expect(!expected.lands && error?.attempts == expected.attempts && error?.failedAttempts.count == expected.attempts, "call \(call)")
        }
        ledger.withLock { $0.landings[call, default: 0] += 1 }
    }
}
