#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
@testable import TarmacTraffic

@Suite("Rate limit", .timeLimit(.minutes(5)))
struct RateLimitTests {
    private let time = ManualTime()
    private let recorder = EventRecorder()
    private let start = Moment.now

    private func client(_ stub: StubTransport, configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], concurrency: 1, time: time) {
            $0.rateLimit = .perSecond(2)
            $0.timeout = .unlimited
            $0.connectTimeout = .unlimited
            $0.idleTimeout = .unlimited
            $0.observers = [recorder]
            configure(&$0)
        }
    }

    private var waits: Int { recorder.names.filter { $0 == "rateLimited" }.count }

    // MARK: The decision

    @Test func turnsComeAtTheirPaceAfterABurst() {
        var limiter = RateLimiter()
        let rule = RateLimitRule.perSecond(2, burst: 3)
        let turns = (0..<5).map { _ in limiter.take(rule, now: start, limit: nil) }
        #expect(turns == [.now, .now, .now, .at(start + .milliseconds(500)), .at(start + .seconds(1))])
        #expect(limiter.take(rule, now: start + .seconds(60), limit: nil) == .now)
    }

    @Test func aTurnThatComesTooLateIsNotTaken() {
        var limiter = RateLimiter()
        let rule = RateLimitRule.perSecond(1)
        #expect(limiter.take(rule, now: start, limit: nil) == .now)
        #expect(limiter.take(rule, now: start, limit: start + .milliseconds(900)) == .tooLate(start + .seconds(1)))
        #expect(limiter.take(rule, now: start, limit: nil) == .at(start + .seconds(1)))
    }

    @Test func aBucketFillsAtItsPaceUpToItsBurst() {
        var limiter = RateLimiter()
        let rule = RateLimitRule.perSecond(2, burst: 3)
        for _ in 0..<3 { _ = limiter.take(rule, now: start, limit: nil) }
        // Half a second is one turn, and not a nanosecond less.
        let early = limiter.take(rule, now: start + .milliseconds(499), limit: start + .milliseconds(499))
        #expect(early == .tooLate(start + .milliseconds(500)))
        let turns = (0..<2).map { _ in limiter.take(rule, now: start + .milliseconds(500), limit: start + .milliseconds(500)) }
        #expect(turns == [.now, .tooLate(start + .seconds(1))])
        let later = (0..<4).map { _ in limiter.take(rule, now: start + .seconds(90), limit: start + .seconds(90)) }
        #expect(later == [.now, .now, .now, .tooLate(start + .milliseconds(90_500))])
    }

    @Test func aTurnAtTheLimitIsTooLate() {
        var limiter = RateLimiter()
        let rule = RateLimitRule.perSecond(1)
        _ = limiter.take(rule, now: start, limit: nil)
        let turns = [start + .seconds(1), start + .seconds(1) + .nanoseconds(1)].map { limiter.take(rule, now: start, limit: $0) }
        #expect(turns == [.tooLate(start + .seconds(1)), .at(start + .seconds(1))])
    }

    @Test func aTurnGivenBackLateGivesNoMoreThanTheBurst() {
        var limiter = RateLimiter()
        let rule = RateLimitRule.perSecond(1, burst: 2)
        _ = limiter.take(rule, now: start, limit: nil)
        limiter.giveBack(rule, now: start + .seconds(9))
        let turns = (0..<3).map { _ in limiter.take(rule, now: start + .seconds(9), limit: nil) }
        #expect(turns == [.now, .now, .at(start + .seconds(10))])
    }

    @Test func aTurnGivenBackIsTheNextOnes() {
        var limiter = RateLimiter()
        let rule = RateLimitRule.perSecond(1)
        for _ in 0..<3 { _ = limiter.take(rule, now: start, limit: nil) }
        limiter.giveBack(rule, now: start)
        #expect(limiter.take(rule, now: start, limit: nil) == .at(start + .seconds(2)))
    }

    @Test func aServerThatAsksForItIsLeftAloneAndThenAskedAtThePace() {
        var limiter = RateLimiter()
        let rule = RateLimitRule.perSecond(1)
        limiter.block(until: start + .seconds(10))
        limiter.block(until: start + .seconds(5))
        #expect(limiter.isBlocked(start + .seconds(9)) && !limiter.isBlocked(start + .seconds(10)))
        let turns = (0..<2).map { _ in limiter.take(rule, now: start, limit: nil) }
        #expect(turns == [.at(start + .seconds(10)), .at(start + .seconds(11))])
    }

    // MARK: Through the client

    @Test func callsWaitTheirTurnInTheirOrderAndHoldNoSlot() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let client = client(stub)
        try await client.get("/0")
        var calls: [Task<Void, any Error>] = []
        for number in 1...3 {
            calls.append(Task { try await client.get("/\(number)") })
            await eventually { waits == number }
        }
        #expect(stub.requests.count == 1)
        for number in 1...3 {
            await eventually { client.deadlinesAreArmed(time) }
            time.advance(by: .milliseconds(500))
            try await stub.received(count: number + 1)
            try await calls[number - 1].value
        }
        #expect(stub.requests.map(\.url.path) == ["/0", "/1", "/2", "/3"])
    }

    @Test(arguments: ["queueTimeout", "deadline"])
    func aTurnLaterThanTheCallMayWaitIsAnErrorAtOnce(limit: String) async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let client = client(stub)
        try await client.get("/0")
        let error = await failure {
            try await client.send(InlineEndpoint<Void>.get("/1")) {
                if limit == "deadline" { $0.deadline = .milliseconds(400) } else { $0.queueTimeout = .milliseconds(400) }
            }
        }
        #expect(error?.code == .rateLimited && error?.attempts == 0 && error?.phase == .queued)
        #expect(error?.userMessage(in: .english) == "Too many requests. Please try again later.")
        #expect(error?.userMessage(in: .simplifiedChinese) == "操作过于频繁，请稍后再试。")
        #expect(stub.requests.count == 1)
    }

    @Test func anAnswer429HoldsTheServiceBack() async throws {
        let stub = StubTransport { $0.url.path == "/0" ? .status(.tooManyRequests, headers: [.retryAfter: "7"]) : .status(.ok) }
        let client = client(stub) { $0.rateLimit = .perSecond(1000, burst: 10) }
        _ = await failure { try await client.get("/0") }
        let call = Task { try await client.get("/1") }
        try await recorder.received { if case .stage(TrafficEvent.rateLimited(for: .seconds(7))) = $0.kind { true } else { false } }
        await eventually { client.deadlinesAreArmed(time) }
        time.advance(by: .seconds(7))
        try await call.value
        #expect(stub.requests.count == 2)
    }

    /// RFC 9110 §10.2.3: seconds or a date, a minute at most; without either, the pace of the rule.
    @Test(
        arguments: [
            ("7", .seconds(7)), ("Sun, 06 Nov 1994 08:49:44 GMT", .seconds(7)), ("60", .seconds(60)), ("61", .seconds(60)),
            ("Sun, 06 Nov 1994 12:00:00 GMT", .seconds(60)), (nil, .milliseconds(500)), ("soon", .milliseconds(500)),
        ] as [(String?, Duration)])
    func howLongA429HoldsTheServiceBack(retryAfter: String?, pause: Duration) async throws {
        let time = ManualTime(date: Date(timeIntervalSince1970: 784_111_777))
        let stub = StubTransport {
            $0.url.path == "/0" ? .status(.tooManyRequests, headers: retryAfter.map { [.retryAfter: $0] } ?? [:]) : .status(.ok)
        }
        let client = Client(stub, time: time) {
            $0.rateLimit = .perSecond(2, burst: 10)
            ($0.timeout, $0.connectTimeout, $0.idleTimeout) = (.unlimited, .unlimited, .unlimited)
            $0.observers = [recorder]
        }
        _ = await failure { try await client.get("/0") }
        let call = Task { try await client.get("/1") }
        try await recorder.received { if case .stage(TrafficEvent.rateLimited(let span)) = $0.kind { span == pause } else { false } }
        await eventually { client.deadlinesAreArmed(time) }
        #expect(stub.requests.count == 1)
        time.advance(by: pause)
        try await call.value
        #expect(stub.requests.count == 2)
    }

    @Test func noOtherStatusHoldsTheServiceBack() async throws {
        let stub = StubTransport { $0.url.path == "/0" ? .status(.serviceUnavailable, headers: [.retryAfter: "7"]) : .status(.ok) }
        let client = client(stub) { $0.rateLimit = .perSecond(2, burst: 10) }
        _ = await failure { try await client.get("/0") }
        try await client.get("/1")
        #expect(stub.requests.count == 2 && waits == 0)
    }

    @Test func aCallThatWaitsHeedsWhatTheServerAsksMeanwhile() async throws {
        let isAnswered = Watched(false)
        let stub = StubTransport { [isAnswered] request in
            guard request.url.path == "/0" else { return .status(.ok) }
            try await isAnswered.wait { $0 }
            return .status(.tooManyRequests, headers: [.retryAfter: "7"])
        }
        let client = client(stub)
        let first = Task { await failure { try await client.get("/0") } }
        try await stub.received(count: 1)
        let second = Task { try await client.get("/1") }
        await eventually { waits == 1 }
        isAnswered.update { $0 = true }
        _ = await first.value
        await eventually { time.nextDeadline == .milliseconds(500) }
        time.advance(by: .milliseconds(500))
        await eventually { waits == 2 || stub.requests.count == 2 }
        #expect(stub.requests.count == 1)
        await eventually { time.nextDeadline == .milliseconds(6_500) }
        time.advance(by: .milliseconds(6_500))
        try await second.value
    }

    @Test func aCallCancelledWhileItWaitsIsNotSentAndGivesItsTurnBack() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let client = client(stub)
        try await client.get("/0")
        let call = Task { try await client.get("/1") }
        await eventually { waits == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        let next = Task { try await client.get("/2") }
        try await recorder.received { if case .stage(TrafficEvent.rateLimited(for: .milliseconds(500))) = $0.kind { $0.call == 3 } else { false } }
        await client.shutdown()
        let error = await failure { try await next.value }
        #expect(error?.code == .clientShutDown && stub.requests.count == 1)
    }

    @Test(
        arguments: [
            RateLimitRule.perSecond(0), .perSecond(-1), .perSecond(1, burst: 0), .per(.zero, 1), .per(.seconds(-1), 1),
            .per(.seconds(Int64.max), 1, burst: .max),
        ])
    func anImpossibleRuleIsRefused(rule: RateLimitRule) async {
        let stub = StubTransport { _ in .status(.ok) }
        let error = await failure { try await client(stub) { $0.rateLimit = rule }.get("/a") }
        #expect(error?.code == .invalidOption && stub.requests.isEmpty)
    }
}

extension Client {
    /// Whether the engine's one sleeper sleeps until the next turn.
    fileprivate func deadlinesAreArmed(_ time: ManualTime) -> Bool {
        time.sleepers > 0 && time.nextDeadline.map { $0 > .zero } ?? false
    }
}
