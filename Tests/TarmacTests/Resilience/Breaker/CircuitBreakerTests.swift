import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
@testable import TarmacTraffic

/// The state machine of one host's circuit.
@Suite("Circuit breaker: the decision") struct CircuitBreakerTests {
    private let start = Moment.now
    private let rule = CircuitBreakerRule.ratio(0.5, of: 4, within: .seconds(10), opensFor: .seconds(5))

    private func pass(_ breaker: inout CircuitBreaker, at second: Double, _ rule: CircuitBreakerRule? = nil) -> CircuitBreaker.Pass? {
        if case .pass(let pass) = breaker.admit(rule ?? self.rule, now: start + .seconds(second)) { pass } else { nil }
    }

    /// Sends one request that ends so; returns what changed.
    @discardableResult
    private func send(_ breaker: inout CircuitBreaker, _ outcome: CircuitBreaker.Outcome, at second: Double) -> CircuitBreaker.Change? {
        pass(&breaker, at: second).flatMap { breaker.record(outcome, of: $0, rule, now: start + .seconds(second)) }
    }

    private func opened(at second: Double = 0) -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for _ in 0..<4 { send(&breaker, .failure, at: second) }
        return breaker
    }

    @Test(
        arguments: [
            ([.failure, .failure, .failure], false), ([.failure, .failure, .failure, .failure], true),
            ([.success, .success, .failure, .failure], true), ([.success, .success, .success, .failure, .failure], false),
            ([.success, .success, .success, .failure, .failure, .failure], true), ([.unknown, .unknown, .unknown, .failure, .failure], false),
        ] as [([CircuitBreaker.Outcome], Bool)])
    func itOpensAtTheRatioOfEnoughRequests(outcomes: [CircuitBreaker.Outcome], opens: Bool) {
        var breaker = CircuitBreaker()
        let changes = outcomes.compactMap { send(&breaker, $0, at: 0) }
        #expect(changes == (opens ? [.opened] : []))
        #expect((pass(&breaker, at: 1) == nil) == opens)
    }

    @Test func failuresOlderThanTheWindowAreForgotten() {
        var breaker = CircuitBreaker()
        for _ in 0..<3 { send(&breaker, .failure, at: 0) }
        #expect(send(&breaker, .failure, at: 12) == nil)
        for _ in 0..<2 { #expect(send(&breaker, .failure, at: 19) == nil) }
        #expect(send(&breaker, .failure, at: 19.5) == .opened)
    }

    @Test func anOpenCircuitSaysWhenItIsProbed() {
        var breaker = opened()
        #expect(breaker.admit(rule, now: start + .seconds(2)) == .refuse(remaining: .seconds(3)))
    }

    @Test func oneProbeGoesAndItsSuccessCloses() throws {
        var breaker = opened()
        let probe = try #require(pass(&breaker, at: 5))
        #expect(breaker.admit(rule, now: start + .seconds(5)) == .refuse(remaining: .zero))
        #expect(breaker.record(.success, of: probe, rule, now: start + .seconds(6)) == .closed)
        #expect(send(&breaker, .failure, at: 6) == nil)
    }

    @Test func aProbeThatFailsOpensItAgain() throws {
        var breaker = opened()
        let probe = try #require(pass(&breaker, at: 5))
        #expect(breaker.record(.failure, of: probe, rule, now: start + .seconds(7)) == .opened)
        #expect(breaker.admit(rule, now: start + .seconds(8)) == .refuse(remaining: .seconds(4)))
    }

    @Test func aProbeThatWasCancelledMakesRoomForAnother() throws {
        var breaker = opened()
        let probe = try #require(pass(&breaker, at: 5))
        #expect(breaker.record(.unknown, of: probe, rule, now: start + .seconds(6)) == nil)
        #expect(pass(&breaker, at: 6) != nil)
    }

    @Test func severalProbesMustAllSucceed() throws {
        var rule = rule
        rule.probes = 2
        var breaker = opened()
        let one = try #require(pass(&breaker, at: 5, rule)), two = try #require(pass(&breaker, at: 5, rule))
        #expect(pass(&breaker, at: 5, rule) == nil)
        #expect(breaker.record(.success, of: one, rule, now: start + .seconds(6)) == nil)
        #expect(pass(&breaker, at: 6, rule) == nil)
        #expect(breaker.record(.success, of: two, rule, now: start + .seconds(6)) == .closed)
    }

    @Test func whatWasSentBeforeAChangeSaysNothingAfterIt() throws {
        var breaker = CircuitBreaker()
        let early = try #require(pass(&breaker, at: 0))
        for _ in 0..<4 { send(&breaker, .failure, at: 0) }
        let probe = try #require(pass(&breaker, at: 5))
        #expect(breaker.record(.failure, of: early, rule, now: start + .seconds(5)) == nil)
        #expect(breaker.record(.success, of: probe, rule, now: start + .seconds(5)) == .closed)
    }

    @Test(
        arguments: [
            (.connectionRefused, .failure), (.connectionLost, .failure), (.timeout, .failure), (.idleTimeout, .failure), (.connectTimeout, .failure),
            (.tlsHandshakeFailed, .failure), (.truncatedBody, .failure), (.malformedResponse, .failure), (.deadlineExceeded, .unknown),
            (.queueTimeout, .unknown), (.clientShutDown, .unknown), (.bodyTooLarge, .unknown), (.rateLimited, .unknown), (.loggedOut, .unknown),
            (.circuitOpen, .unknown), (.callerFailed, .unknown),
        ] as [(TarmacError.Code, CircuitBreaker.Outcome)])
    func onlyWhatTheHostIsToBlameForCounts(code: TarmacError.Code, outcome: CircuitBreaker.Outcome) {
        #expect(BreakerPolicy.outcome(of: TarmacError(code)) == outcome)
        #expect(BreakerPolicy.outcome(of: CancellationError()) == .unknown)
    }

    @Test(arguments: [(200, false), (304, false), (404, false), (429, false), (500, true), (501, false), (502, true), (503, true), (505, false)])
    func onlyServerErrorsAreFailures(status: Int, fails: Bool) {
        #expect(BreakerPolicy.outcome(of: HTTPResponse.Status(code: status)) == (fails ? .failure : .success))
    }
}
