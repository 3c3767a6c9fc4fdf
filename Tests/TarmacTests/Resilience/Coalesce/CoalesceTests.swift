import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacSigning
import TarmacStreams

/// What several calls come to that ask for the same at the same time.
@Suite("Coalescing", .timeLimit(.minutes(5)))
struct CoalesceTests {
    private let stub = StubTransport { _ in .json(#"{"n":1}"#) }
    private let recorder = EventRecorder()

    private struct GetNumber: Endpoint {
        typealias Value = Number
        static let route: Route = .get("/n")
    }

    private func client(
        _ stub: StubTransport? = nil, time: any TimeSource = .system, configure: (inout Options) -> Void = { _ in }
    ) -> Client {
        Client(stub ?? self.stub, time: time) {
            $0.coalesces = true
            $0.observers = [recorder]
            configure(&$0)
        }
    }

    private func call(_ client: Client, configure: @escaping @Sendable (inout Options) -> Void = { _ in }) -> Task<Landed<Number>, any Error> {
        Task { try await client.landed(for: GetNumber(), configure: configure) }
    }

    /// Returns once the given number of calls share the flight of another.
    private func shared(_ count: Int) async throws {
        await eventually { recorder.names.filter { $0 == "coalesced" }.count >= count }
    }

    private func coalescer(_ client: Client) throws -> Coalescer { try client.engine.runtime(.clientDefault).scope.coalescer }

    // MARK: Sharing

    // QSP-B11
    @Test func identicalCallsShareOneRequest() async throws {
        stub.hold()
        let client = client()
        let calls = (0..<100).map { _ in call(client) }
        try await shared(99)
        stub.release()
        for call in calls {
            let landed = try await call.value
            #expect(landed.value == Number(n: 1) && landed.attempts == 1)
        }
        #expect(stub.requests.count == 1)
        #expect(recorder.names.filter { $0 == "landed" }.count == 100)
        #expect(try coalescer(client).count == 0)
    }

    @Test func everyCallIsSentUnlessItIsSwitchedOn() async throws {
        stub.hold()
        let client = Client(stub)
        let calls = (0..<3).map { _ in call(client) }
        try await stub.received(count: 3)
        stub.release()
        for call in calls { _ = try await call.value }
    }

    @Test func callsOneAfterTheOtherAreSentEach() async throws {
        let client = client()
        for _ in 0..<3 { _ = try await call(client).value }
        #expect(stub.requests.count == 3)
    }

    @Test(arguments: [
        "traceparent", "tracestate", "baggage", "b3", "X-B3-TraceId", "X-Request-ID", "X-Correlation-ID",
    ])
    func fieldsThatTraceACallAreNotCompared(name: String) async throws {
        stub.hold()
        let client = client()
        let calls = ["1", "2"].map { value in call(client) { $0.headers[name] = value } }
        try await shared(1)
        stub.release()
        for call in calls { _ = try await call.value }
        #expect(stub.requests.count == 1)
    }

    /// What tells a call from the one in flight.
    enum Difference: CaseIterable {
        case url, method, field, removedField, credentials, principal, secrets, bodyLimit, network, coalescing, interceptor, signature
        case inflatedLimit, insecureHTTP, expensive, constrained, failover, authenticator, cookies, encryption, signing

        func configure(_ options: inout Options) {
            switch self {
            case .url: options.subPath = "/other"
            case .method: break
            case .field: options.headers["Accept-Language"] = "zh"
            case .removedField: options.headers.remove("X-Mode")
            case .credentials: options.headers["Authorization"] = "Bearer other"
            case .principal: options.principal = "other"
            case .secrets: options.secretNames = ["x"]
            case .bodyLimit: options.maximumBodySize = 100
            case .network: options.networkAccess = NetworkAccess(allowsCellular: false)
            case .coalescing: options.coalesces = false
            case .interceptor: options.attemptInterceptors = [Intercepting { try await $1.proceed($0) }]
            case .signature: options.verification = .off
            case .inflatedLimit: options.maximumInflatedSize = 100
            case .insecureHTTP: options.allowsInsecureHTTP = true
            case .expensive: options.networkAccess = NetworkAccess(allowsExpensive: false)
            case .constrained: options.networkAccess = NetworkAccess(allowsConstrained: false)
            case .failover: options.failover = .toOrigin
            case .authenticator: options.authenticator = .off
            case .cookies: options.cookies = .off
            case .encryption: options.encryption = .off
            case .signing: options.signing = .off
            }
        }
    }

    /// Law 7: what differs for one of them is never shared.
    @Test(arguments: Difference.allCases)
    func callsThatDifferAreSentEach(difference: Difference) async throws {
        stub.hold()
        let client = client { ($0.headers["Authorization"], $0.headers["X-Mode"]) = ("Bearer hunter2", "plain") }
        let first = call(client)
        try await stub.received(count: 1)
        let second = Task {
            if difference == .method { return try await client.head("/n") }
            _ = try await client.landed(for: GetNumber()) { difference.configure(&$0) }
        }
        try await stub.received(count: 2)
        stub.release()
        _ = try await first.value
        try await second.value
        #expect(!recorder.names.contains("coalesced"))
    }

    @Test func bodiesUnsafeMethodsAndStreamsAreNeverShared() async throws {
        stub.hold()
        let client = client()
        let calls = (0..<2).flatMap { _ in
            [
                Task { try await client.post("/n") }, Task { try await client.delete("/n") },
                Task { try await client.stream(.get("/n", as: JSON.self)) { _ in } },
                Task { _ = try await client.send(raw: Request(.get, HTTPURL("https://s.example/n"), body: .text("x"))) },
            ]
        }
        try await stub.received(count: 8)
        stub.release()
        for call in calls { _ = await call.result }
        #expect(!recorder.names.contains("coalesced"))
    }

    // MARK: Each its own landing

    @Test func eachCallIsJudgedByItsOwnRules() async throws {
        let stub = StubTransport { _ in .json(#"{"n":1,"status":0}"#, status: .notFound) }
        stub.hold()
        let client = client(stub)
        let first = call(client) { $0.acceptableStatus = .any }
        try await stub.received(count: 1)
        let second = call(client),
            third = call(client) {
                $0.acceptableStatus = .any
                $0.envelope = Envelope(success: { $0["status"] == 1 })
            }
        try await shared(2)
        stub.release()
        #expect(try await first.value.value == Number(n: 1))
        #expect(await failure { _ = try await second.value }?.code == .unacceptableStatus)
        #expect(await failure { _ = try await third.value }?.code == .envelopeFailure)
        #expect(stub.requests.count == 1)
    }

    @Test func anErrorIsSharedAndHasTheContextOfEachCall() async throws {
        let stub = StubTransport { _ in throw TarmacError(.connectionRefused, phase: .connecting) }
        stub.hold()
        let client = client(stub)
        let first = call(client) { $0.tags = ["first"] }
        try await stub.received(count: 1)
        let second = Task { try await client.get("/n", as: JSON.self) { $0.tags = ["second"] } }
        try await shared(1)
        stub.release()
        let errors = [await failure { _ = try await first.value }, await failure { _ = try await second.value }]
        #expect(errors.map { $0?.code } == [.connectionRefused, .connectionRefused])
        #expect(errors.map { $0?.endpoint } == ["GetNumber", "GET /n"])
        #expect(errors.map { $0?.attempts } == [1, 1])
        #expect(errors.map { $0?.context?.tags } == [["first"], ["second"]])
    }

    // MARK: Leaving

    enum Ending: CaseIterable { case task, outside }

    /// Law 1: a cancellation is one call's own.
    @Test(arguments: Ending.allCases)
    func theOthersFlyOnWithoutTheCallThatBeganIt(ending: Ending) async throws {
        stub.hold()
        let client = client()
        let first = call(client) { $0.tags = ["first"] }
        try await stub.received(count: 1)
        let second = call(client) { $0.tags = ["second"] }
        try await shared(1)
        if ending == .task { first.cancel() } else { client.cancelAll(tagged: "first") }
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(stub.inFlight == 1)
        stub.release()
        #expect(try await second.value.value == Number(n: 1))
        #expect(stub.requests.count == 1)
        // What happens to the flight is told for whoever is left, after nothing more for the call that ended.
        let told = recorder.events.filter { $0.tags == ["first"] }
        #expect(told.last.map { "\($0.kind)".hasPrefix("cancelled") } == true)
        #expect(recorder.events.contains { $0.tags == ["second"] && "\($0.kind)".hasPrefix("attemptEnded") && $0.attempt == 1 })
    }

    @Test(arguments: Ending.allCases)
    func theRequestEndsWithTheLastThatWaits(ending: Ending) async throws {
        stub.hold()
        let client = client()
        let calls = (0..<3).map { _ in call(client) }
        try await shared(2)
        try await stub.received(count: 1)
        if ending == .outside { client.cancelAll() }
        for call in calls {
            #expect(stub.inFlight == 1 || ending == .outside)
            if ending == .task { call.cancel() }
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        try await stub.isIdle()
        #expect(try coalescer(client).count == 0)
        let next = call(client)
        try await stub.received(count: 2)
        stub.release()
        #expect(try await next.value.value == Number(n: 1))
    }

    @Test func eachCallKeepsItsOwnDeadline() async throws {
        let time = ManualTime()
        stub.hold()
        let client = client(time: time)
        let first = call(client) { $0.deadline = .seconds(5) }
        try await stub.received(count: 1)
        let second = call(client) { $0.deadline = .seconds(7) }, third = call(client)
        try await shared(2)
        time.advance(by: .seconds(5))
        #expect(await failure { _ = try await first.value }?.code == .deadlineExceeded)
        try await time.hasSleepers()
        await eventually { time.nextDeadline == .seconds(2) }
        time.advance(by: .seconds(2))
        #expect(await failure { _ = try await second.value }?.code == .deadlineExceeded)
        stub.release()
        #expect(try await third.value.value == Number(n: 1))
        #expect(stub.requests.count == 1)
    }

    @Test func aCallWaitsForAnAttemptNoLongerThanItsOwnTimeout() async throws {
        let time = ManualTime()
        stub.hold()
        let client = client(time: time)
        let first = call(client)
        try await stub.received(count: 1)
        let second = call(client) { $0.timeout = .seconds(3) }
        try await shared(1)
        await eventually { time.nextDeadline == .seconds(3) }
        time.advance(by: .seconds(3))
        let error = await failure { _ = try await second.value }
        #expect(error?.code == .timeout && error?.attempts == 1)
        stub.release()
        #expect(try await first.value.value == Number(n: 1))
    }

    /// The flight has the timeout of the call that began it.
    @Test(arguments: [true, false]) func aTimeoutEndsOnlyCallsWithoutALongerOne(isLonger: Bool) async throws {
        let time = ManualTime()
        stub.hold()
        let client = client(time: time)
        let first = call(client) { $0.timeout = .seconds(3) }
        try await stub.received(count: 1)
        let others = (0..<5).map { _ in call(client) { if !isLonger { $0.timeout = .seconds(3) } } }
        try await shared(5)
        await eventually { time.nextDeadline == .seconds(3) }
        time.advance(by: .seconds(3))
        #expect(await failure { _ = try await first.value }?.code == .timeout)
        if isLonger { try await stub.received(count: 2) }
        stub.release()
        for other in others {
            if isLonger {
                #expect(try await other.value.value == Number(n: 1))
            } else {
                #expect(await failure { _ = try await other.value }?.code == .timeout)
            }
        }
        #expect(stub.requests.count == (isLonger ? 2 : 1))
    }

    /// How often the request is sent is the business of the call that began it. One that has more attempts goes on after it.
    @Test(arguments: [true, false])
    func theOptionsOfTheCallThatBeganItRule(leaderRetries: Bool) async throws {
        let answers = Watched(0)
        let stub = StubTransport { _ in
            let number = answers.update {
                $0 += 1
                return $0
            }
            return number == 1 ? .status(.serviceUnavailable) : .json(#"{"n":1}"#)
        }
        stub.hold()
        let client = client(stub), rule = RetryRule.exponential(maxAttempts: 2, base: .zero)
        let first = call(client) { $0.retry = leaderRetries ? rule : .never }
        try await stub.received(count: 1)
        let second = call(client) { $0.retry = leaderRetries ? .never : rule }
        try await shared(1)
        stub.release()
        if !leaderRetries {
            let error = await failure { _ = try await first.value }
            #expect(error?.code == .unacceptableStatus && error?.attempts == 1)
        }
        for call in leaderRetries ? [first, second] : [second] {
            let landed = try await call.value
            #expect(landed.value == Number(n: 1) && landed.attempts == 2)
        }
        #expect(stub.requests.count == 2)
    }

    @Test func callsOfDifferentLimitsMakeNoMoreRequestsThanWithoutSharing() async throws {
        let stub = StubTransport { _ in .status(.serviceUnavailable) }
        stub.hold()
        let client = client(stub), counts = [1, 2, 3, 4]
        var calls: [Task<Landed<Number>, any Error>] = []
        for count in counts {
            calls.append(call(client) { $0.retry = .exponential(maxAttempts: count, base: .zero) { $0.budget = .unlimited } })
            if count == 1 { try await stub.received(count: 1) } else { try await shared(count - 1) }
        }
        stub.release()
        for call in calls { #expect(await failure { _ = try await call.value }?.status == .serviceUnavailable) }
        #expect(try coalescer(client).count == 0)
        #expect(stub.requests.count <= counts.reduce(0, +))
    }

    @Test func callsOfALaterLoginShareNoRequestWithThoseBefore() async throws {
        struct Logins: Authenticator {
            func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw CancellationError() }
        }
        let stub = StubTransport { $0.headers[.authorization] == "Bearer new" ? .json(#"{"n":1}"#) : .status(.unauthorized) }
        stub.hold()
        let service = Service("s", host: "https://s.example")
        let client = Client(transport: .stub(stub), services: [service]) {
            $0.authenticator = .init(Logins(), store: MemoryTokenStore())
            $0.coalesces = true
        }
        try await client.logIn(AccessToken("old", account: "ann"))
        let old = call(client)
        try await stub.received(count: 1)
        try await client.logOut()
        try await client.logIn(AccessToken("new", account: "ann"))
        let new = call(client)
        try await stub.received(count: 2)
        stub.release()
        #expect(await failure { _ = try await old.value }?.code == .loggedOut)
        #expect(try await new.value.value == Number(n: 1))
    }

    @Test func whatHappensIsToldForTheCallThatHasWaitedLongest() async throws {
        stub.hold()
        let client = client()
        let first = call(client) { $0.tags = ["first"] }
        try await stub.received(count: 1)
        let second = call(client) { $0.tags = ["second"] }
        try await shared(1)
        stub.release()
        for call in [first, second] { _ = try await call.value }
        let ends = recorder.events.filter { "\($0.kind)".hasPrefix("attemptEnded") }
        #expect(ends.map(\.tags) == [["first"]])
    }

    /// A flight everybody has left may take its time to end.
    @Test func aFlightThatEndsLateDoesNotEndTheSharingOfTheNext() async throws {
        stub.hold()
        let isOpen = Watched(false), hasEnded = Watched(false)
        let client = client {
            $0.attemptInterceptors = [
                Intercepting { request, chain in
                    do { return try await chain.proceed(request) } catch {
                        // Its own task, which the cancellation does not reach.
                        _ = try? await Task { try await isOpen.wait { $0 } }.value
                        hasEnded.update { $0 = true }
                        throw error
                    }
                }
            ]
        }
        let first = call(client)
        try await stub.received(count: 1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = call(client)
        try await stub.received(count: 2)
        isOpen.update { $0 = true }
        try await hasEnded.wait { $0 }
        for _ in 0..<50 { await Task.yield() }
        let third = call(client)
        try await shared(1)
        stub.release()
        for call in [second, third] { _ = try await call.value }
        #expect(stub.requests.count == 2)
    }

    // MARK: The end

    /// Law 8.
    @Test func aShutdownEndsTheFlightAndAllWhoWait() async throws {
        stub.hold()
        let client = client()
        let calls = (0..<3).map { _ in call(client) }
        try await shared(2)
        let coalescer = try coalescer(client)
        await client.shutdown()
        #expect(coalescer.count == 0 && stub.inFlight == 0)
        for call in calls { #expect(await failure { _ = try await call.value }?.code == .clientShutDown) }
    }

    @Test func aCallThatSharesHoldsNoSlot() async throws {
        stub.hold()
        let client = Client(stub, concurrency: 1) {
            $0.coalesces = true
            $0.observers = [recorder]
        }
        let calls = (0..<3).map { _ in call(client) }
        try await shared(2)
        #expect(try client.engine.runtime(.clientDefault).callDispatcher.waiting == 0)
        stub.release()
        for call in calls { _ = try await call.value }
    }
}
