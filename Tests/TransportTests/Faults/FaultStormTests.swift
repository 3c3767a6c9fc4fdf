#if Tools
import Tarmac
import TarmacCore
import TarmacTesting
import Testing

/// Hundreds of calls through faults over real sockets: every call lands once, nothing is done twice without its key, and what the
/// client counts is what the server saw. Seeded by method, path and repetition, so the plan says what each call has to go through.
@Suite("Faults over the wire", .serialized, .timeLimit(.minutes(5)))
struct FaultStormTests {
    static let transports = [TransportUnderTest.asyncHTTPClient, .urlSession]
    private static let maxAttempts = 5
    private static let calls = 300

    /// Faults that end a request by themselves. A head that is cut off ends FoundationNetworking's process.
    private static func faults(_ transport: TransportUnderTest) -> [Fault] {
        let anywhere: [Fault] = [
            .refuse, .loseResponse, .reset(atByte: 0), .truncate(toBytes: 1), .wrongLength(by: 5), .garbage, .drip(size: 7), .status(503),
            .status(429, retryAfter: 0),
        ]
        return transport.exclusions[.closedInHead] == nil ? anywhere + [.reset(atByte: 12), .reset(atByte: 40)] : anywhere
    }

    private static func flying<Value>(
        _ transport: TransportUnderTest, _ server: FaultServer, configure: (inout Options) -> Void, _ body: (Client) async throws -> Value
    ) async rethrows -> Value {
        let service = Service("s", host: Hosts(server.url().string), configure: configure)
        return try await withClient(transport: transport.factory, services: [service], body)
    }

    private typealias Outcome = StormCall.Outcome

    /// Whether a request that met this is answered.
    private static func isAnswered(_ fault: Fault?) -> Bool { fault == nil || fault == .drip(size: 7) }

    /// How many requests of a call the server sees by the plan, and whether the last of them is answered.
    private static func expected(_ call: Int, _ plan: FaultPlan, resends: Int) -> (arrivals: Int, isGood: Bool) {
        let limit = StormCall(call) == .bare ? 1 : maxAttempts + resends
        for arrival in 1...limit where isAnswered(fault(call, arrival, plan)) { return (arrival, true) }
        return (limit, false)
    }

    private static func fault(_ call: Int, _ arrival: Int, _ plan: FaultPlan) -> Fault? {
        plan.fault(of: FaultPlan.Arrival(method: StormCall(call).method, target: "/\(call)", repetition: arrival, number: 0))
    }

    @Test(arguments: transports)
    func everyCallLandsOnceAndNothingIsDoneTwice(transport: TransportUnderTest) async throws {
        let plan = FaultPlan.seeded(21, rate: 0.2, Self.faults(transport))
        let server = try FaultServer(plan)
        defer { server.stop() }
        let outcomes = await Self.flying(transport, server) {
            $0.retry = .exponential(maxAttempts: Self.maxAttempts, base: .zero) { $0.budget = .unlimited }
        } _: { client in
            await withTaskGroup(of: [(Int, Outcome)].self) { group in
                for lane in 0..<10 {
                    group.addTask {
                        var outcomes: [(Int, Outcome)] = []
                        for call in stride(from: lane, to: Self.calls, by: 10) { outcomes.append((call, await StormCall.fly(call, client))) }
                        return outcomes
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
        }
        #expect(outcomes.count == Self.calls && server.ledger.harm.isEmpty)
        #expect(server.ledger.faults.count == Self.faults(transport).count)
        for (call, outcome) in outcomes {
            let arrivals = server.ledger.arrivals(StormCall(call).method, "/\(call)")
            // Some platforms send a GET again without a word when its connection is dead.
            let silent = transport.exclusions[.resendReports] != nil && StormCall(call) == .read ? arrivals - outcome.attempts : outcome.resends
            #expect(silent >= 0 && arrivals == outcome.attempts + silent, "call \(call): \(outcome), the server saw \(arrivals)")
            let expected = Self.expected(call, plan, resends: silent)
            #expect(arrivals == expected.arrivals && outcome.isGood == expected.isGood && outcome.landings == 1, "call \(call): \(outcome)")
            #expect(outcome.attempts <= Self.maxAttempts)
            if StormCall(call) == .keyed { #expect(silent == 0, "a POST is not the transport's to send again") }
        }
    }

    /// Refused for certain: nothing was sent, so a POST without a key is repeated, too.
    @Test(arguments: transports)
    func aPortThatRefusesForAWhileCostsAPostNothingButAttempts(transport: TransportUnderTest) async throws {
        let server = try FaultServer(.none)
        defer { server.stop() }
        try await server.refuseConnections()
        // Before the second try, somebody listens again.
        let reopening = ClosureObserver { event in
            // LIFETIME: ends as soon as the server's thread has looked.
            if case .stage(ResilienceEvent.retrying) = event.kind { Task { try await server.acceptConnections() } }
        }
        let landed = try await Self.flying(transport, server) {
            $0.retry = .exponential(maxAttempts: 50, base: .milliseconds(20)) { $0.budget = .unlimited }
            $0.observers = [reopening]
        } _: { client in
            try await client.landed(for: InlineEndpoint<Void>.post("/a", ["n": 1]))
        }
        #expect(landed.attempts >= 2)
        #expect(server.ledger.count(.init("POST", "/a")) == 1 && server.ledger.arrivals == 1)
    }

    /// A transport may open a second connection by itself when the kept one is lost. That this one is refused does not undo the request.
    @Test(arguments: transports)
    func aRefusedConnectionBehindALostOneDoesNotRepeatAPost(transport: TransportUnderTest) async throws {
        let server = try FaultServer(FaultPlan { $0.target == "/a" ? .loseResponse : nil })
        defer { server.stop() }
        try await Self.flying(transport, server) {
            $0.retry = .exponential(maxAttempts: 5, base: .zero) { $0.budget = .unlimited }
        } _: { client in
            try await client.get("/first")
            // The kept connection goes on; another is refused.
            try await server.refuseConnections()
            let error = await #expect(throws: TarmacError.self) { try await client.post("/a", ["n": 1]) }
            #expect(error?.attempts == 1 && error?.reach == .mayHaveActed, "\(String(describing: error))")
        }
        #expect(server.ledger.count(.init("POST", "/a")) == 1 && server.ledger.arrivals == 2)
    }

    /// A kept connection that is dead when it is used: no attempt of the policy's where the transport says that it resent.
    @Test(arguments: transports)
    func staleConnectionsCountApart(transport: TransportUnderTest) async throws {
        let server = try FaultServer(FaultPlan { $0.repetition == 1 ? .staleConnection : nil })
        defer { server.stop() }
        let recorder = EventRecorder()
        let attempts = try await Self.flying(transport, server) {
            $0.retry = .exponential(maxAttempts: 3, base: .zero)
            $0.observers = [recorder]
        } _: { client in
            var attempts: [Int] = []
            for call in 0..<10 { attempts.append(try await client.landed(for: InlineEndpoint<Void>.get("/\(call)")).attempts) }
            return attempts
        }
        #expect(attempts == Array(repeating: 1, count: 10))
        let stale = server.ledger.faults[.staleConnection] ?? 0
        #expect(stale > 0 && server.ledger.arrivals == 10 + stale)
        if transport.exclusions[.resendReports] == nil { #expect(recorder.names.count { $0 == "resentOnFreshConnection" } == stale) }
    }

    /// What a wrong length leaves behind on a connection is nobody's answer.
    @Test(arguments: transports)
    func strayBytesAreNobodysAnswer(transport: TransportUnderTest) async throws {
        let server = try FaultServer(FaultPlan { $0.target == "/short" ? .wrongLength(by: -4) : nil }) { request in
            ServerScript.Step.response(200, headers: [("Content-Type", "text/plain")], "answer to \(request.path)")
        }
        defer { server.stop() }
        try await Self.flying(transport, server) { _ in
        } _: { client in
            for call in 0..<5 {
                let short = try await client.get("/short", as: String.self)
                let whole = try await client.get("/\(call)", as: String.self)
                #expect(short == "answer to /s" && whole == "answer to /\(call)")
            }
        }
    }

    /// Drip and stall against the limits in time, which are the client's to keep.
    @Test(arguments: transports)
    func aStallEndsWithTheClientsLimitAndIsRepeated(transport: TransportUnderTest) async throws {
        let server = try FaultServer(.first(1, .stall(atByte: 60)))
        defer { server.stop() }
        let landed = try await Self.flying(transport, server) {
            $0.retry = .exponential(maxAttempts: 2, base: .zero)
            $0.timeout = .seconds(1)
        } _: { client in
            try await client.landed(for: InlineEndpoint<Void>.get("/a"))
        }
        #expect(landed.attempts == 2 && server.ledger.count(.init("GET", "/a")) == 2)
        try await server.wait { $0.connections.first?.isEndedByPeer == true }
    }
}
#endif
