import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacStreams
@testable import TarmacTraffic

/// Field.md §3: the tail of latencies is cut by asking twice. Time is manual; which request answers is the test's to say.
@Suite("Hedging", .timeLimit(.minutes(5)))
struct HedgeTests {
    private let time = ManualTime()
    private let recorder = EventRecorder()
    private let answered = Watched<[Int: HTTPResponse.Status]>([:])
    private let begun = Watched(0)
    private let left = Watched<Set<Int>>([])

    /// The first request is 1; each answers, with its number, once the test says how.
    private var stub: StubTransport {
        StubTransport { [answered, begun, left] request in
            let number = begun.update {
                $0 += 1
                return $0
            }
            do {
                guard let status = try await answered.wait(until: { $0[number] != nil })[number] else { throw CancellationError() }
                return .text("\(number)", status: status)
            } catch {
                left.update { $0.insert(number) }
                throw error
            }
        }
    }

    private func client(_ stub: StubTransport, _ rule: HedgeRule = .after(.milliseconds(300)), configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(stub, time: time) {
            $0.hedge = rule
            $0.observers = [recorder]
            configure(&$0)
        }
    }

    /// Waits until a request has its number. The stub knows it before.
    private func hasBegun(_ count: Int) async throws { try await begun.wait { $0 >= count } }
    private func answer(_ number: Int, _ status: HTTPResponse.Status = .ok) { answered.update { $0[number] = status } }

    /// Lets the span of the next hedge pass, once it is waited for.
    private func pass(_ span: Duration) async {
        await eventually { time.nextDeadline.map { $0 <= span } ?? false }
        time.advance(by: span)
    }

    private var hedges: Int { recorder.names.filter { $0 == "hedged" }.count }

    // MARK: Who wins

    @Test func theSecondWinsAndTheFirstIsCancelledDownToTheWire() async throws {
        let stub = stub, client = client(stub)
        let call = Task { try await client.landed(for: .get("/a", as: String.self)) }
        try await hasBegun(1)
        await pass(.milliseconds(300))
        try await hasBegun(2)
        answer(2)
        let landed = try await call.value
        #expect(landed.value == "2" && landed.attempts == 2)
        try await left.wait { $0 == [1] }
        try await stub.isIdle()
        #expect(recorder.names.filter { ["hedged", "hedgeWon", "landed", "failed", "cancelled"].contains($0) } == ["hedged", "hedgeWon", "landed"])
    }

    @Test func theFirstWinsAndTheSecondIsCancelledDownToTheWire() async throws {
        let stub = stub, client = client(stub)
        let call = Task { try await client.landed(for: .get("/a", as: String.self)) }
        try await hasBegun(1)
        await pass(.milliseconds(300))
        try await hasBegun(2)
        answer(1)
        #expect(try await call.value.value == "1")
        try await left.wait { $0 == [2] }
        try await stub.isIdle()
        #expect(!recorder.names.contains("hedgeWon"))
    }

    @Test func aCallThatIsFastFliesAlone() async throws {
        let stub = stub, client = client(stub)
        answer(1)
        #expect(try await client.landed(for: .get("/a", as: String.self)).attempts == 1)
        time.advance(by: .seconds(60))
        #expect(stub.requests.count == 1 && hedges == 0)
    }

    @Test func severalHedgesAreAsManyAsTheRuleSays() async throws {
        let stub = stub, client = client(stub, .after(.milliseconds(100), atMost: 2))
        let call = Task { try await client.get("/a", as: String.self) }
        for number in 1...2 {
            try await hasBegun(number)
            await pass(.milliseconds(100))
        }
        try await hasBegun(3)
        time.advance(by: .seconds(1))
        #expect(stub.requests.count == 3)
        answer(3)
        #expect(try await call.value == "3")
        try await left.wait { $0 == [1, 2] }
    }

    // MARK: Failures

    @Test(arguments: [HTTPResponse.Status.serviceUnavailable, .tooManyRequests])
    func aFailureIsNotTheCallsWhileAnotherFlies(status: HTTPResponse.Status) async throws {
        for failing in [1, 2] {
            let test = HedgeTests(), stub = test.stub, client = test.client(stub)
            let call = Task { try await client.get("/a", as: String.self) }
            try await test.hasBegun(1)
            await test.pass(.milliseconds(300))
            try await test.hasBegun(2)
            test.answer(failing, status)
            await eventually { stub.inFlight == 1 }
            test.answer(3 - failing)
            #expect(try await call.value == "\(3 - failing)")
        }
    }

    @Test func whereAllFailTheFirstsFailureIsTheCalls() async throws {
        let stub = stub, client = client(stub)
        let call = Task { await failure { _ = try await client.get("/a", as: String.self) } }
        try await hasBegun(1)
        await pass(.milliseconds(300))
        try await hasBegun(2)
        answer(1, .badGateway)
        answer(2, .gatewayTimeout)
        let error = await call.value
        #expect(error?.status == .badGateway && error?.attempts == 2)
    }

    @Test func aFailureBeforeTheHedgeIsTheCallsAtOnce() async throws {
        let stub = stub, client = client(stub)
        answer(1, .badGateway)
        let error = await failure { _ = try await client.get("/a", as: String.self) }
        #expect(error?.status == .badGateway && stub.requests.count == 1)
    }

    @Test func anAnswerIsAnAnswerWhateverItSays() async throws {
        let stub = stub, client = client(stub)
        let call = Task { await failure { _ = try await client.get("/a", as: String.self) } }
        try await hasBegun(1)
        await pass(.milliseconds(300))
        try await hasBegun(2)
        answer(2, .notFound)
        #expect(await call.value?.status == .notFound)
        try await left.wait { $0 == [1] }
    }

    // MARK: Who may

    @Test func whatIsNotSafeOrNotWantedWholeFliesAlone() async throws {
        let stub = stub, client = client(stub, .after(.zero))
        for number in 1...4 { answer(number) }
        try await client.post("/a", ["n": 1])
        try await client.put("/a", ["n": 1])
        try await client.delete("/a")
        _ = try await client.stream(.get("/a")) { response in try await response.body.reduce(0) { $0 + $1.count } }
        #expect(stub.requests.count == 4 && hedges == 0)
    }

    @Test func hedgesAreBudgetedByHost() async throws {
        let stub = stub
        let client = client(stub, .after(.milliseconds(100)) { $0.budget = .init(ratio: 0, reserve: 1) })
        for (first, second) in [(1, true), (3, false)] {
            let call = Task { try await client.get("/a", as: String.self) }
            try await hasBegun(first)
            await pass(.milliseconds(100))
            if second { try await hasBegun(first + 1) }
            answer(first)
            _ = try await call.value
        }
        #expect(stub.requests.count == 3 && hedges == 1)
    }

    // MARK: Ends

    @Test(arguments: ["task", "client", "shutdown"], [false, true])
    func aCallThatIsEndedEndsItsHedges(how: String, firstHasFailed: Bool) async throws {
        let stub = stub, client = client(stub)
        let call = Task { try await client.get("/a", as: String.self) }
        try await hasBegun(1)
        await pass(.milliseconds(300))
        try await hasBegun(2)
        if firstHasFailed {
            answer(1, .badGateway)
            await eventually { stub.inFlight == 1 }
        }
        switch how {
        case "task": call.cancel()
        case "client": client.cancelAll()
        default: await client.shutdown()
        }
        switch await call.result {
        case .success: Issue.record("it landed")
        case .failure(let error): #expect(how == "shutdown" ? (error as? TarmacError)?.code == .clientShutDown : error is CancellationError)
        }
        try await stub.isIdle()
        #expect(stub.requests.count == 2)
    }

    @Test func aCallEndsAtItsDeadlineWithItsHedges() async throws {
        let stub = stub, client = client(stub) { $0.deadline = .seconds(1) }
        let call = Task { await failure { _ = try await client.get("/a", as: String.self) } }
        try await hasBegun(1)
        await pass(.milliseconds(300))
        try await hasBegun(2)
        answer(1, .badGateway)
        await eventually { stub.inFlight == 1 }
        await pass(.milliseconds(700))
        #expect(await call.value?.code == .deadlineExceeded)
        try await stub.isIdle()
    }

    @Test(
        arguments: [
            HedgeRule.after(.seconds(-1)), .after(.seconds(1), atMost: 0), .after(.seconds(1), atMost: 11), .percentile(0), .percentile(1),
            .percentile(.nan),
        ])
    func anImpossibleRuleIsRefused(rule: HedgeRule) async {
        let stub = stub
        let error = await failure { try await client(stub, rule).get("/a") }
        #expect(error?.code == .invalidOption && stub.requests.isEmpty)
    }

    // MARK: Percentiles

    @Test func aPercentileWaitsForFiveMillisecondsAtLeast() {
        var fast = LatencyHistogram(), slow = LatencyHistogram()
        for _ in 0..<50 {
            fast.add(.microseconds(300))
            slow.add(.milliseconds(40))
        }
        let percentile = HedgePolicy(rule: .percentile(0.95)), fixed = HedgePolicy(rule: .after(.milliseconds(1)))
        let delays = [percentile.delay(&fast), percentile.delay(&slow), fixed.delay(&fast)]
        #expect(delays[0] == .milliseconds(5) && delays[2] == .milliseconds(1))
        #expect(delays[1].map { $0 >= .milliseconds(40) && $0 < .milliseconds(46) } == true)
    }

    @Test func thePercentileIsOfTheServicesOwnRequests() async throws {
        let stub = StubTransport { [time] request in
            time.advance(by: .milliseconds(request.url.path == "/slow" ? 90 : 10))
            return .text("ok")
        }
        let client = client(stub, .percentile(0.9) { $0.minimumSamples = 20 })
        let traffic = try client.engine.runtime(.clientDefault).scope.traffic
        let origin = try HTTPURL("https://s.example").origin, rule = HedgeRule.percentile(0.9) { $0.minimumSamples = 20 }
        for _ in 0..<19 { try await client.get("/fast") }
        #expect(traffic.noteHedgeable(origin, rule) == nil)
        try await client.get("/slow")
        let delay = try #require(traffic.noteHedgeable(origin, rule))
        #expect(delay >= .milliseconds(10) && delay <= .milliseconds(11.3), "\(delay)")
        // What is not hedgeable is not timed.
        for _ in 0..<50 { try await client.post("/slow", ["n": 1]) }
        #expect(traffic.noteHedgeable(origin, rule) == delay)
        #expect(hedges == 0)
    }
}
