import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacTraffic

/// Law 5, and field.md §3, wish 2: what is tried again, and when.
@Suite("Retry: the decision") struct RetryPolicyTests {
    private func policy(_ rule: RetryRule = .exponential(maxAttempts: 3), codes: Set<Envelope.Code> = []) -> RetryPolicy {
        RetryPolicy(rule: rule, retryableCodes: codes)
    }

    private func situation(
        _ failure: TarmacError, _ method: HTTPRequest.Method = .get, key: String? = nil, body: Body = .none, attempt: Int = 1,
        hasArrived: Bool = false, misdirections: Int = 1, retryAfter: Duration? = nil, remaining: Duration? = nil, chance: Double = 0
    ) throws -> RetryPolicy.Situation {
        var request = Request(method, try HTTPURL("https://s.example/a"), body: body)
        if let key { request.headers[.idempotencyKey] = key }
        return RetryPolicy.Situation(
            request: request, failure: failure, attempt: attempt, hasArrived: hasArrived, misdirections: misdirections, retryAfter: retryAfter,
            remaining: remaining, chance: chance)
    }

    private func answer(_ status: Int, code: String? = nil) -> TarmacError {
        TarmacError(.unacceptableStatus, phase: .judging).with(serverCode: code, message: nil)
            .with(response: ResponseSnapshot(status: .init(code: status), headers: [:], body: .empty))
    }

    // A failure, how far the call had come, a method, and what becomes of it.
    @Test(
        arguments: [
            (.cannotFindHost, .connecting, .post, .retry(after: .zero)), (.connectionRefused, .connecting, .post, .retry(after: .zero)),
            (.connectTimeout, .connecting, .patch, .retry(after: .zero)), (.connectionFailed, .connecting, .post, .retry(after: .zero)),
            (.connectionFailed, .sending, .post, .refuse(.notIdempotent)), (.requestUnprocessed, .waiting, .post, .retry(after: .zero)),
            (.connectionLost, .waiting, .post, .refuse(.notIdempotent)),
            (.connectionLost, .connecting, .post, .refuse(.notIdempotent)), (.timeout, .connecting, .post, .refuse(.notIdempotent)),
            (.connectionLost, .waiting, .get, .retry(after: .zero)), (.connectionLost, .waiting, .put, .retry(after: .zero)),
            (.connectionLost, .waiting, .delete, .retry(after: .zero)), (.timeout, .waiting, .get, .retry(after: .zero)),
            (.idleTimeout, .receiving, .get, .retry(after: .zero)), (.truncatedBody, .receiving, .get, .retry(after: .zero)),
            (.malformedResponse, .receiving, .get, .retry(after: .zero)), (.malformedResponse, .receiving, .patch, .refuse(.notIdempotent)),
            (.deadlineExceeded, .waiting, .get, .fail), (.queueTimeout, .queued, .get, .fail), (.clientShutDown, .connecting, .get, .fail),
            (.untrustedCertificate, .connecting, .get, .fail), (.bodyTooLarge, .receiving, .get, .fail), (.decodingFailed, .decoding, .get, .fail),
            (.loggedOut, .authenticating, .get, .fail), (.callerFailed, .intercepting, .get, .fail), (.insecureHTTP, .connecting, .get, .fail),
            (.transportFailed, .waiting, .get, .retry(after: .zero)), (.transportFailed, .waiting, .post, .refuse(.notIdempotent)),
            (.connectTimeout, .waiting, .post, .refuse(.notIdempotent)), (.connectTimeout, .waiting, .get, .retry(after: .zero)),
            (.circuitOpen, .connecting, .get, .fail), (.rateLimited, .queued, .get, .fail), (.refreshFailed, .authenticating, .get, .fail),
        ] as [(TarmacError.Code, TarmacError.Phase, HTTPRequest.Method, RetryPolicy.Decision)])
    func failuresThatMayPassAreTriedAgainWhereTwiceIsOnce(
        code: TarmacError.Code, phase: TarmacError.Phase, method: HTTPRequest.Method, expected: RetryPolicy.Decision
    ) throws {
        #expect(policy().decide(try situation(TarmacError(code, phase: phase), method)) == expected)
    }

    @Test(arguments: [(408, true), (429, true), (500, true), (502, true), (503, true), (504, true), (400, false), (401, false), (404, false), (501, false)])
    func statusesThatMayPassAreTriedAgain(status: Int, retries: Bool) throws {
        #expect(policy().decide(try situation(answer(status))) == (retries ? .retry(after: .zero) : .fail))
        #expect(policy().decide(try situation(answer(status), .post)) == (retries ? .refuse(.notIdempotent) : .fail))
        #expect(policy().decide(try situation(answer(status), .post, key: "k")) == (retries ? .retry(after: .zero) : .fail))
    }

    /// Law 5: the server says that it was not for it.
    @Test func aMisdirectedRequestIsSentAgainWhateverItsMethod() throws {
        #expect(policy().decide(try situation(answer(421), .post, chance: 1)) == .retry(after: .zero))
        #expect(policy().decide(try situation(answer(421), attempt: 2, misdirections: 2)) == .refuse(.attemptsUsedUp))
        #expect(policy(.exponential(maxAttempts: 1)).decide(try situation(answer(421))) == .refuse(.attemptsUsedUp))
        #expect(policy(.exponential { $0.statuses = [503] }).decide(try situation(answer(421))) == .fail)
    }

    /// RFC 8470 §5.2: the server has not acted on it.
    @Test func aRequestThatCameTooEarlyIsSentAgainWhateverItsMethod() throws {
        #expect(policy().decide(try situation(answer(425), .post)) == .retry(after: .zero))
        #expect(policy(.exponential { $0.statuses = [503] }).decide(try situation(answer(425))) == .fail)
    }

    @Test func anEmptyKeyCoversNothing() throws {
        #expect(policy().decide(try situation(answer(503), .post, key: "")) == .refuse(.notIdempotent))
        #expect(policy(.exponential { $0.allowsAnyMethod = true }).decide(try situation(answer(503), .post)) == .retry(after: .zero))
    }

    /// draft-ietf-httpapi-idempotency-key-header §2.7: the first request under the key may still be in progress.
    @Test func aConflictIsTriedAgainOnlyUnderAKeyAndAfterAnEarlierArrival() throws {
        let conflict = answer(409)
        #expect(policy().decide(try situation(conflict, .post, key: "k", attempt: 2, hasArrived: true)) == .retry(after: .zero))
        #expect(policy().decide(try situation(conflict, .post, key: "k", attempt: 3, hasArrived: true)) == .refuse(.attemptsUsedUp))
        #expect(policy().decide(try situation(conflict, .post, key: "k")) == .fail)
        #expect(policy().decide(try situation(conflict, .put, hasArrived: true)) == .fail)
        #expect(policy().decide(try situation(answer(422), .post, key: "k", hasArrived: true)) == .fail)
        let rule = RetryRule.exponential { $0.classifier = { _ in .fail } }
        #expect(policy(rule).decide(try situation(conflict, .post, key: "k", hasArrived: true)) == .fail)
    }

    @Test func theEnvelopesCodesDecideToo() throws {
        let failure = TarmacError(.envelopeFailure, phase: .judging).with(serverCode: "50003", message: nil)
        #expect(policy(codes: [50003]).decide(try situation(failure)) == .retry(after: .zero))
        #expect(policy(codes: [50003]).decide(try situation(failure, .post)) == .refuse(.notIdempotent))
        #expect(policy(codes: [1]).decide(try situation(failure)) == .fail)
        #expect(policy(codes: [50003]).decide(try situation(answer(409, code: "50003"))) == .retry(after: .zero))
        #expect(policy(codes: ["A0230", 1]).decide(try situation(answer(409, code: "A0230"))) == .retry(after: .zero))
        #expect(policy(codes: [0]).decide(try situation(answer(409, code: "0000"))) == .fail)
    }

    @Test func aClassifierLooksFirstButNotBeyondTheLaw() throws {
        let rule = RetryRule.exponential { $0.classifier = { $0.status?.code == 503 ? .fail : .retry } }
        #expect(policy(rule).decide(try situation(answer(503))) == .fail)
        #expect(policy(rule).decide(try situation(answer(404))) == .retry(after: .zero))
        #expect(policy(rule).decide(try situation(answer(404), .post)) == .refuse(.notIdempotent))
        #expect(policy(rule).decide(try situation(TarmacError(.deadlineExceeded))) == .fail)
    }

    @Test func bodiesThatCanBeReadOnceStay() throws {
        let once = Body.stream(ByteStream(AsyncStream { $0.finish() }))
        #expect(policy().decide(try situation(TarmacError(.connectionRefused), .put, body: once)) == .refuse(.notReplayable))
    }

    @Test func pausesDoubleUpToTheirMaximumWithFullJitter() throws {
        let rule = RetryRule.exponential(maxAttempts: 100, base: .milliseconds(100)) { $0.maximumDelay = .seconds(1) }
        let longest = [1, 2, 3, 4, 5, 60, 99].map { policy(rule).longestPause(after: $0) }
        #expect(longest == [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)] + Array(repeating: .seconds(1), count: 3))
        for chance in [0, 0.25, 0.5] {
            #expect(policy(rule).decide(try situation(answer(503), attempt: 2, chance: chance)) == .retry(after: .milliseconds(200) * chance))
        }
    }

    @Test func theLastAttemptIsTheLast() throws {
        #expect(policy().decide(try situation(answer(503), attempt: 2)) == .retry(after: .zero))
        #expect(policy().decide(try situation(answer(503), attempt: 3)) == .refuse(.attemptsUsedUp))
    }

    @Test func theServersWishIsAddedToAndHonouredUpToALimit() throws {
        let rule = RetryRule.exponential(base: .seconds(2))
        #expect(policy(rule).decide(try situation(answer(503), retryAfter: .seconds(30), chance: 0.5)) == .retry(after: .seconds(31)))
        #expect(policy(rule).decide(try situation(answer(503), retryAfter: .seconds(60))) == .retry(after: .seconds(60)))
        #expect(policy(rule).decide(try situation(answer(503), retryAfter: .seconds(61))) == .refuse(.retryAfterTooLong))
    }

    @Test func aPauseThatWouldPassTheDeadlineIsNotBegun() throws {
        #expect(policy().decide(try situation(answer(503), retryAfter: .seconds(5), remaining: .seconds(5))) == .refuse(.pastDeadline))
        #expect(policy().decide(try situation(answer(503), retryAfter: .seconds(5), remaining: .seconds(6))) == .retry(after: .seconds(5)))
        #expect(policy().decide(try situation(answer(503), remaining: .seconds(-1))) == .refuse(.pastDeadline))
    }

    @Test func repeatsAreAFifthOfTheCallsInTheLongRun() {
        let rule = RetryRule.Budget()
        var budget = RetryBudget(rule), repeats = 0
        for _ in 0..<1000 {
            budget.deposit(rule)
            while budget.withdraw(rule) { repeats += 1 }
        }
        #expect((205...210).contains(repeats), "\(repeats)")
        for _ in 0..<1000 { budget.deposit(rule) }
        repeats = 0
        while budget.withdraw(rule) { repeats += 1 }
        #expect(repeats == 10)
    }

    @Test(
        arguments: [
            RetryRule.exponential(maxAttempts: 0), .exponential(maxAttempts: 101), .exponential(base: .seconds(-1)),
            .exponential(base: .seconds(86_401)), .exponential { $0.maximumRetryAfter = .seconds(-1) }, .exponential { $0.budget.ratio = .nan },
            .exponential { $0.budget.ratio = 1.5 }, .exponential { $0.budget.reserve = -1 },
        ])
    func anImpossibleRuleIsRefusedBeforeAnythingIsSent(rule: RetryRule) async {
        let stub = StubTransport { _ in .status(.ok) }
        let error = await failure { try await Client(stub) { $0.retry = rule }.get("/") }
        #expect(error?.code == .invalidOption && stub.requests.isEmpty)
    }
}
