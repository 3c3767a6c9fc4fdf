import HTTPTypes
import TarmacJSON
import TarmacStreams
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience

/// Field.md §3, wish 2: retries that do no harm. No test waits: time is manual.
@Suite("Retry", .timeLimit(.minutes(5)))
struct RetryTests {
    private let time = ManualTime()
    private let recorder = EventRecorder()

    private func client(_ stub: StubTransport, configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(
            transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time, randomness: SeededGenerator(seed: 1)
        ) {
            $0.retry = .exponential(maxAttempts: 3, base: .zero)
            $0.observers = [recorder]
            configure(&$0)
        }
    }

    /// A stub that fails so many times first.
    private func stub(failing times: Int, with failure: @escaping @Sendable () throws -> Response = { .status(.serviceUnavailable) }) -> StubTransport {
        let count = Watched(0)
        return StubTransport { _ in
            count.update {
                $0 += 1
                return $0
            } <= times ? try failure() : .json("{}")
        }
    }

    @Test func aCallLandsOnceTheFailureHasPassed() async throws {
        let stub = stub(failing: 2)
        let landed = try await client(stub).landed(for: .get("/a", as: JSON.self))
        #expect(landed.attempts == 3 && stub.requests.count == 3)
        #expect(recorder.names.filter { $0 == "retrying" }.count == 2)
        #expect(recorder.names.filter { $0 == "landed" }.count == 1)
    }

    @Test func theErrorNamesEveryAttempt() async throws {
        let codes = Watched([TarmacError.Code.connectionRefused, .timeout])
        let stub = StubTransport { _ in
            if let code = codes.update({ $0.popLast() }) { throw TarmacError(code, phase: .waiting) }
            return .status(.badGateway)
        }
        let error = try #require(await failure { try await client(stub).get("/a") })
        #expect(error.code == .unacceptableStatus && error.attempts == 3)
        #expect(error.failedAttempts.map(\.code) == [.timeout, .connectionRefused, .unacceptableStatus])
        #expect(error.failedAttempts.map(\.number) == [1, 2, 3])
        #expect(error.failedAttempts.last?.status == .badGateway)
        #expect("\(error.failedAttempts[2])" == "3: unacceptableStatus 502 after 0 ms")
        #expect(recorder.names.suffix(2) == ["retryRefused", "failed"])
    }

    @Test func pausesTakeTheServersTimeAndHoldNoSlot() async throws {
        let stub = stub(failing: 1) { .status(.tooManyRequests, headers: [.retryAfter: "30"]) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], concurrency: 1, time: time) {
            $0.retry = .exponential(base: .zero)
            $0.timeout = .unlimited
            $0.connectTimeout = .unlimited
            $0.idleTimeout = .unlimited
            $0.observers = [recorder]
        }
        let waiting = Task { try await client.get("/a") }
        try await recorder.received { if case .stage(ResilienceEvent.retrying(.seconds(30), _)) = $0.kind { true } else { false } }
        try await client.get("/b")
        try await time.hasSleepers()
        time.advance(by: .seconds(29))
        #expect(stub.requests.map(\.url.path) == ["/a", "/b"])
        try await time.hasSleepers()
        time.advance(by: .seconds(1))
        try await waiting.value
        #expect(stub.requests.map(\.url.path) == ["/a", "/b", "/a"])
    }

    @Test func aPauseBeyondTheDeadlineFailsAtOnceWithTheLastError() async throws {
        let stub = stub(failing: 9) { .status(.serviceUnavailable, headers: [.retryAfter: "30"]) }
        let error = await failure { try await client(stub) { $0.deadline = .seconds(20) }.get("/a") }
        #expect(error?.code == .unacceptableStatus && stub.requests.count == 1)
        let refused = recorder.events.contains { if case .stage(ResilienceEvent.retryRefused("pastDeadline", _)) = $0.kind { true } else { false } }
        #expect(refused)
    }

    @Test(arguments: ["task", "client", "shutdown"])
    func aPausingCallEndsWhenItIsEnded(how: String) async throws {
        let stub = stub(failing: 9) { .status(.serviceUnavailable, headers: [.retryAfter: "30"]) }
        let client = client(stub)
        let call = Task { try await client.get("/a") }
        try await recorder.received { if case .stage(ResilienceEvent.retrying) = $0.kind { true } else { false } }
        switch how {
        case "task": call.cancel()
        case "client": client.cancelAll()
        default: await client.shutdown()
        }
        if how == "shutdown" {
            let error = await failure { try await call.value }
            #expect(error?.code == .clientShutDown)
        } else {
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        #expect(stub.requests.count == 1)
        let runtime = try? client.engine.runtime(.clientDefault)
        #expect(runtime?.waits.count ?? 0 == 0)
    }

    @Test func aPostIsRepeatedWithItsKeyAlone() async throws {
        let bare = stub(failing: 1)
        let error = await failure { try await self.client(bare).post("/orders", ["n": 1]) }
        #expect(error?.code == .unacceptableStatus && bare.requests.count == 1)
        let keyed = stub(failing: 2)
        let client = self.client(keyed) { $0.idempotencyKey = .automatic }
        try await client.post("/orders", ["n": 1])
        try await client.post("/orders", ["n": 1])
        let keys = keyed.requests.map { $0.headers[.idempotencyKey] }
        #expect(keys.count == 4 && Set(keys.prefix(3)).count == 1 && keys[3] != keys[0])
        #expect(keys.allSatisfy { $0?.count == 36 && $0?.dropFirst(14).first == "4" })
    }

    @Test func theKeyIsTheCallsThroughRedirectsAndNotThatOfAnotherOperation() async throws {
        let stub = StubTransport { request in
            switch request.url.path {
            case "/a": .redirect(to: "/b", status: .temporaryRedirect)
            case "/b": .redirect(to: "/c", status: .seeOther)
            default: .json("{}")
            }
        }
        try await client(stub) { $0.idempotencyKey = .value("k-1") }.post("/a", ["n": 1])
        #expect(stub.requests.map { $0.headers[.idempotencyKey] } == ["k-1", "k-1", nil])
    }

    @Test(arguments: ["", "a\nb", "ключ", String(repeating: "a", count: 256)])
    func aKeyThatIsNoneIsRefused(key: String) async {
        let stub = stub(failing: 0)
        let error = await failure { try await client(stub) { $0.idempotencyKey = .value(key) }.post("/a", ["n": 1]) }
        #expect(error?.code == .invalidOption && stub.requests.isEmpty)
        #expect(error?.description.contains("ключ") == false)
    }

    @Test func aKeyOfTheCallsOwnWinsAndReadsNeedNone() async throws {
        let stub = stub(failing: 0)
        let client = client(stub) { $0.idempotencyKey = .automatic }
        try await client.send(InlineEndpoint<Void>.post("/a", ["n": 1])) { $0.headers["Idempotency-Key"] = "mine" }
        try await client.get("/a")
        #expect(stub.requests.map { $0.headers[.idempotencyKey] } == ["mine", nil])
    }

    /// RFC 9110 §15.5.20: once, on another connection, and a POST too.
    @Test func aMisdirectedRequestIsSentOnceMoreOverAFreshConnection() async throws {
        let stub = stub(failing: 1) { .status(.misdirectedRequest) }
        let client = self.client(stub)
        try await client.post("/a", ["n": 1])
        #expect(stub.requests.map(\.sending.isFresh) == [false, true])
        let never = self.stub(failing: .max) { .status(.misdirectedRequest) }
        let error = await failure { try await self.client(never).post("/a", ["n": 1]) }
        #expect(error?.status == .misdirectedRequest && error?.attempts == 2)
        #expect(never.requests.count == 2)
    }

    @Test func anotherFailureAfterAMisdirectedRequestNeedsNoFreshConnection() async throws {
        let answers = Watched([HTTPResponse.Status.ok, .serviceUnavailable, .misdirectedRequest])
        let stub = StubTransport { _ in .status(answers.update { $0.removeLast() }) }
        try await client(stub).get("/a")
        #expect(stub.requests.map(\.sending.isFresh) == [false, true, false])
    }

    @Test func anOutageIsNotMultiplied() async throws {
        let stub = stub(failing: .max)
        let client = client(stub)
        for _ in 0..<100 { _ = await failure { try await client.get("/a") } }
        // A hundred calls, ten repeats of the reserve and a fifth of a hundred.
        #expect((125...130).contains(stub.requests.count), "\(stub.requests.count)")
    }

    @Test func theBudgetOfOneHostIsNotThatOfAnother() async throws {
        var hosts = Hosts("https://s.example")
        hosts[HostKind("b")] = "https://b.example"
        let stub = StubTransport { _ in .status(.badGateway) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: hosts)], time: time) {
            $0.retry = .exponential(maxAttempts: 3, base: .zero) { $0.budget = .init(ratio: 0, reserve: 2) }
        }
        for _ in 0..<3 { _ = await failure { try await client.get("/a") } }
        #expect(stub.requests.count == 5)
        _ = await failure { _ = try await client.get("/a", as: JSON.self) { $0.host = HostKind("b") } }
        #expect(stub.requests.count == 8)
    }

    @Test func redirectsDoNotBeginToCountAnew() async throws {
        let count = Watched(0)
        let stub = StubTransport { request in
            if request.url.path == "/b" { return .status(.badGateway) }
            return count.update {
                $0 += 1
                return $0
            } == 1 ? .status(.badGateway) : .redirect(to: "/b")
        }
        let error = await failure { try await client(stub).get("/a") }
        #expect(error?.failedAttempts.count == 3)
        #expect(stub.requests.map(\.url.path) == ["/a", "/a", "/b", "/b"])
    }

    @Test func theEnvelopesRetryableCodesAreTriedAgain() async throws {
        let stub = stub(failing: 1) { .json(#"{"status":0,"code":50003}"#) }
        _ = try await client(stub) {
            $0.envelope = Envelope(success: { $0["status"] != 0 }, code: "code", retryable: [50003])
        }.get("/a", as: JSON.self)
        #expect(stub.requests.count == 2)
    }

    @Test func whatIsNoFailureOrSwitchedOffIsNotTriedAgain() async throws {
        let stub = stub(failing: .max)
        let client = client(stub)
        _ = try await client.send(raw: Request(.get, try HTTPURL("https://s.example/a")))
        #expect(stub.requests.count == 1)
        _ = await failure { try await client.send(InlineEndpoint<Void>.get("/a")) { $0.retry = .never } }
        #expect(stub.requests.count == 2)
        #expect(hasStage(RetryInterceptor.self) == false)
    }

    @Test func streamsAreTriedAgainUntilTheirHead() async throws {
        let stub = stub(failing: 1)
        let size = try await client(stub).stream(.get("/a")) { response in try await response.body.reduce(0) { $0 + $1.count } }
        #expect(size == 2 && stub.requests.count == 2)
    }
}
