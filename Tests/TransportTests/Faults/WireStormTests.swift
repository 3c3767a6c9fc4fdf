#if Tools
import Foundation
import Tarmac
import TarmacNIO
import TarmacTesting
import Testing

/// Thousands of calls through 20 % faults of every kind over sockets, dead kept connections and stalls among them: every call lands
/// once, nothing is done twice without its key, and each request the server saw is one the policy asked for.
///
/// Each lane has a server, a client and a time of its own and makes one call after another, so that the plan and the server's own
/// notes say to the request what each call has to go through, and a stall costs no real time.
@Suite("A storm over the wire", .timeLimit(.minutes(15)))
struct WireStormTests {
    private static let faults: [Fault] = [
        .refuse, .loseResponse, .reset(atByte: 0), .reset(atByte: 12), .reset(atByte: 40), .truncate(toBytes: 1), .wrongLength(by: 5), .garbage,
        .drip(size: 7), .stall(atByte: 0), .stall(atByte: 30), .stall(atByte: 75), .staleConnection, .status(500), .status(503),
        .status(429, retryAfter: 0),
    ]
    private static let plan = FaultPlan.seeded(33, rate: 0.2, faults)
    private static let maxAttempts = 4
    private static let lanes = 8
    /// `scripts/fault-storm` runs it with 10,000.
    private static let calls = ProcessInfo.processInfo.environment["TARMAC_STORM_CALLS"].flatMap { Int($0) } ?? 2_000

    private typealias Outcome = StormCall.Outcome

    /// What the plan has for a request; a connection is never stale at its first.
    private static func fault(_ call: Int, _ arrival: Int, isFirst: Bool) -> Fault? {
        let fault = plan.fault(of: FaultPlan.Arrival(method: StormCall(call).method, target: "/\(call)", repetition: arrival, number: 0))
        return fault == .staleConnection && isFirst ? nil : fault
    }

    /// Whether each request of a call was the first of its connection, as the server saw it.
    private typealias Notes = [Int: [Bool]]

    // MARK: What the policy asks for

    /// What has to come of a call, and how many requests it takes.
    private static func expected(_ call: Int, _ isFirst: [Bool]) -> (outcome: Outcome, arrivals: Int) {
        var outcome = Outcome(attempts: 1)
        var isResend = false
        for (index, isFirst) in isFirst.enumerated() {
            let fault = fault(call, index + 1, isFirst: isFirst)
            if fault == nil || fault == .drip(size: 7) {
                outcome.isGood = true
                return (outcome, index + 1)
            }
            if losesConnection(fault), !isFirst, !isResend, StormCall(call) == .read {
                // The transport cannot tell it from a connection that was dead before, and sends again by itself, once.
                isResend = true
                outcome.resends += 1
                continue
            }
            isResend = false
            outcome.failures += 1
            if StormCall(call) == .bare || outcome.attempts == maxAttempts { return (outcome, index + 1) }
            outcome.attempts += 1
        }
        // The server would have seen more.
        return (outcome, isFirst.count + 1)
    }

    /// Before the head of an answer was whole.
    private static func losesConnection(_ fault: Fault?) -> Bool {
        switch fault {
        case .refuse, .staleConnection, .loseResponse, .reset: true
        default: false
        }
    }

    // MARK: The storm

    /// The calls of one lane, one after another.
    private static func fly(lane: Int, _ ledger: FaultLedger) async throws -> (outcomes: [Int: Outcome], notes: Notes) {
        let notes = Watched<Notes>([:]), stalls = Watched(0), time = ManualTime()
        let server = try FaultServer(plan, ledger: ledger) { request in
            let call = Int(request.path.dropFirst()) ?? -1, isFirst = request.isFirstOfConnection
            let arrival = notes.update { notes in
                notes[call, default: []].append(isFirst)
                return notes[call, default: []].count
            }
            if case .stall = fault(call, arrival, isFirst: isFirst) { stalls.update { $0 += 1 } }
            return FaultServer.ok
        }
        defer { server.stop() }
        // Nobody but the stalled call is in the air.
        let clock = Task {
            for stall in 1... {
                try await stalls.wait { $0 >= stall }
                time.advance(by: .seconds(61))
            }
        }
        defer { clock.cancel() }
        let client = Client(transport: .asyncHTTPClient, services: [Service("s", host: Hosts(server.url().string))], time: time) {
            $0.retry = .exponential(maxAttempts: maxAttempts, base: .zero) { $0.budget = .unlimited }
        }
        var outcomes: [Int: Outcome] = [:]
        for call in stride(from: lane, to: calls, by: lanes) { outcomes[call] = await StormCall.fly(call, client) }
        await client.shutdown()
        return (outcomes, notes.value)
    }

    @Test func everyCallLandsOnceAndEachRequestIsThePolicys() async throws {
        let ledger = FaultLedger()
        let (outcomes, notes) = try await withThrowingTaskGroup(of: (outcomes: [Int: Outcome], notes: Notes).self) { group in
            for lane in 0..<Self.lanes { group.addTask { try await Self.fly(lane: lane, ledger) } }
            return try await group.reduce(into: (outcomes: [Int: Outcome](), notes: Notes())) { all, lane in
                all.outcomes.merge(lane.outcomes) { one, _ in one }
                all.notes.merge(lane.notes) { one, _ in one }
            }
        }
        #expect(outcomes.count == Self.calls && ledger.harm.isEmpty)
        for call in 0..<Self.calls {
            let isFirst = notes[call] ?? []
            let expected = Self.expected(call, isFirst)
            #expect(outcomes[call] == expected.outcome, "call \(call): \(isFirst)")
            #expect(isFirst.count == expected.arrivals && ledger.arrivals(StormCall(call).method, "/\(call)") == expected.arrivals, "call \(call)")
        }
        checkDeeds(ledger)
        if Self.calls >= 2_000 {
            #expect(Set(ledger.faults.keys) == Set(Self.faults))
            #expect(outcomes.values.contains { $0.resends > 0 } && outcomes.values.contains { !$0.isGood })
        }
        print(
            "storm: \(Self.calls) calls, \(ledger.arrivals) requests, \(ledger.faults.values.reduce(0, +)) faults,",
            "\(outcomes.values.reduce(0) { $0 + $1.resends }) resends of stale connections, \(outcomes.values.count { !$0.isGood }) calls failed")
    }

    /// What was done for one call was done under one key, and under none, once, where the call had none.
    private func checkDeeds(_ ledger: FaultLedger) {
        for (target, deeds) in Dictionary(grouping: ledger.deeds, by: \.key.target) {
            let call = Int(target.dropFirst()) ?? -1
            #expect(deeds.count == 1 && (deeds[0].key.idempotencyKey != nil) == (StormCall(call) == .keyed), "call \(call)")
            if StormCall(call) == .bare { #expect(deeds[0].value == 1, "call \(call)") }
        }
    }
}
#endif
