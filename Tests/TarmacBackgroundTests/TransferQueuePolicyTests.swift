import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacBackground
@testable import TarmacTransfer

@Suite struct TransferQueuePolicyTests {
    private static let now = ManualTime().moment
    private let policy = TransferQueuePolicy(limit: 2)
    private typealias Candidate = TransferQueuePolicy.Candidate
    private typealias Decision = TransferQueuePolicy.Decision

    private func record(
        _ id: String, _ number: Int, _ priority: CallPriority = .normal, _ conditions: TransferConditions = [], _ state: TransferQueueRecord.State = .waiting
    ) -> TransferQueueRecord {
        var record = TransferQueueRecord(id: id, number: number, key: "k", content: "{}", priority: priority, conditions: conditions)
        record.state = state
        return record
    }

    private func situation(
        _ holding: TransferConditions = .all, isPaused: Bool = false, transportWaits: Bool = false
    ) -> TransferQueuePolicy.Situation {
        var situation = TransferQueuePolicy.Situation(now: Self.now)
        (situation.holding, situation.isPaused, situation.transportWaits) = (holding, isPaused, transportWaits)
        return situation
    }

    @Test func priorityDecidesThenAge() {
        let waiting = [record("c", 2), record("low", 0, .low), record("b", 1), record("high", 3, .high)].map { Candidate($0) }
        #expect(policy.decide(waiting, situation()).start == ["high", "b"])
        #expect(TransferQueuePolicy(limit: 9).decide(waiting, situation()).start == ["high", "b", "c", "low"])
        #expect(TransferQueuePolicy(limit: 0).decide(waiting, situation()).start == ["high"], "one at least")
    }

    @Test func runningOnesKeepTheirPlaces() {
        let all = [Candidate(record("a", 0, .low, [], .running), isRunning: true), Candidate(record("b", 1, .high)), Candidate(record("c", 2))]
        #expect(policy.decide(all, situation()) == Decision(start: ["b"]))
        let full = all + [Candidate(record("d", 3, .low, [], .running), isRunning: true)]
        #expect(policy.decide(full, situation()) == Decision(), "none is stopped for one of a higher priority")
    }

    @Test func theNextLaunchContinuesWhatRan() {
        let all = [record("new", 5, .high), record("ran", 1, .low, [], .running), record("ran too", 2, .normal, [], .running)].map { Candidate($0) }
        #expect(policy.decide(all, situation()).start == ["ran too", "ran"])
    }

    private typealias Condition = (needs: TransferConditions, holding: TransferConditions, starts: Bool, startsInBackground: Bool)
    /// What it needs, what holds, whether it starts, whether it starts if the transport waits by itself.
    private static let conditions: [Condition] = [
        ([], .network, true, true), ([], [], false, true), (.unmetered, .network, false, true), (.unmetered, .ofNetwork, true, true),
        (.power, .ofNetwork, false, false), (.power, .power, false, true), ([.unmetered, .power], .all, true, true),
        ([.unmetered, .power], [.network, .power], false, true),
    ]

    @Test(arguments: conditions.indices) func conditionsDecide(_ row: Int) {
        let (needs, holding, starts, startsInBackground) = Self.conditions[row]
        for (transportWaits, expected) in [(false, starts), (true, startsInBackground)] {
            let situation = situation(holding, transportWaits: transportWaits)
            #expect(policy.decide([Candidate(record("a", 0, .normal, needs))], situation).start == (expected ? ["a"] : []))
            let running = Candidate(record("a", 0, .normal, needs, .running), isRunning: true)
            #expect(policy.decide([running], situation).stop == (expected ? [] : ["a"]))
        }
    }

    @Test func transfersThatTheSystemHoldsBackKeepNoOtherWaiting() {
        let held = (0..<3).map { Candidate(record("wifi \($0)", $0, .high, [.unmetered])) }
        let free = (3..<6).map { Candidate(record("any \($0)", $0)) }
        let decision = policy.decide(held + free, situation(.network, transportWaits: true))
        #expect(decision.start == ["wifi 0", "wifi 1", "any 3", "any 4"])
    }

    @Test func pausedAndFailedOnesRest() {
        let resting = [Candidate(record("a", 0, .high, [], .paused)), Candidate(record("b", 1, .high, [], .failed))]
        #expect(policy.decide(resting, situation()) == Decision())
        let paused = Candidate(record("c", 2, .normal, [], .paused), isRunning: true)
        #expect(policy.decide([paused], situation()).stop == ["c"])
        let stopping = Candidate(record("c", 2, .normal, [], .paused), isRunning: true, isStopping: true)
        #expect(policy.decide([stopping], situation()) == Decision(), "it is told once")
        #expect(policy.decide([stopping, Candidate(record("d", 3)), Candidate(record("e", 4))], situation()).start == ["d"], "and has its place until it ends")
        let running = Candidate(record("f", 5, .normal, [], .running), isRunning: true)
        #expect(policy.decide([running, Candidate(record("g", 6))], situation(isPaused: true)) == Decision(stop: ["f"]))
    }

    @Test func onesThatWaitForAnotherAttemptLetOthersGo() {
        let later = Self.now + .seconds(5), latest = Self.now + .seconds(9)
        let all = [
            Candidate(record("a", 0), notBefore: latest), Candidate(record("b", 1), notBefore: later), Candidate(record("c", 2), notBefore: Self.now),
            Candidate(record("p", 3, .normal, [], .paused), notBefore: Self.now + .seconds(1)),
        ]
        #expect(policy.decide(all, situation()) == Decision(start: ["c"], wake: later))
    }

    private typealias Failure = (code: TarmacError.Code, failures: Int, retryAfter: Duration?, decision: TransferFailurePolicy.Decision)
    private static let failures: [Failure] = [
        (.connectionLost, 1, nil, .again(after: .milliseconds(750))), (.connectionLost, 4, nil, .again(after: .seconds(6))),
        (.cannotFindHost, 40, nil, .again(after: .seconds(225))), (.transferInProgress, 1, nil, .again(after: .milliseconds(750))),
        (.timeout, 1, .seconds(20), .again(after: .milliseconds(20_750))),
        (.timeout, 1, .seconds(1 << 40), .again(after: .milliseconds(3_600_750))),
        (.unreadableFile, 1, nil, .fail), (.unsupported, 1, nil, .fail), (.loggedOut, 1, nil, .again(after: .milliseconds(750))),
        (.otherLogin, 1, nil, .again(after: .milliseconds(750))), (.environmentLeft, 1, nil, .again(after: .milliseconds(750))),
        (.principalLeft, 1, nil, .again(after: .milliseconds(750))),
        (.untrustedCertificate, 1, nil, .again(after: .milliseconds(750))),
    ]

    @Test(arguments: failures.indices) func failuresThatMayPassAreTriedAgain(_ row: Int) {
        let (code, failures, retryAfter, decision) = Self.failures[row], failure = TarmacError(code)
        for step in [TransferFailurePolicy.Step.app, .download, .upload] {
            #expect(TransferFailurePolicy.decide(failure, of: step, failures: failures, retryAfter: retryAfter, chance: 0.5) == decision)
        }
    }

    private static let page = Bytes(Array("<html>log in</html>".utf8))
    private static func status(_ code: Int, _ body: Bytes = page) -> TarmacError {
        let response = ResponseSnapshot(status: HTTPResponse.Status(code: code), headers: [.contentType: "text/html"], body: body)
        return TarmacError(.unacceptableStatus, phase: .judging, "\(code)").with(response: response)
    }

    /// draft-ietf-httpapi-idempotency-key-header §2.7: the first request under the key may still be in progress.
    @Test func aConflictOfAnUploadPassesForAWhileAfterAnEarlierArrival() {
        func passes(_ step: TransferFailurePolicy.Step, _ conflicts: Int = 1, _ hasArrived: Bool = true) -> Bool {
            TransferFailurePolicy.decide(
                Self.status(409), of: step, failures: 20, conflicts: conflicts, hasArrived: hasArrived, retryAfter: nil, chance: 0) != .fail
        }
        #expect(passes(.upload) && passes(.upload, 10))
        #expect(!passes(.upload, 1, false) && !passes(.upload, 11) && !passes(.download) && !passes(.app))
    }

    private typealias Answer = (failure: TarmacError, passes: [TransferFailurePolicy.Step])
    private static let answers: [Answer] = [
        (status(302), [.download, .upload]), (status(407), [.download, .upload]), (status(511), [.download, .upload]), (status(403), [.download, .upload]),
        (status(403, Bytes(Array("no".utf8))), []), (status(422), []), (TarmacError(.redirectRefused, phase: .waiting), [.download, .upload]),
        (TarmacError(.unacceptableContentType, phase: .judging), [.download, .upload]), (TarmacError(.decodingFailed, phase: .decoding), [.upload]),
        (TarmacError(.bodyTooLarge, phase: .receiving), [.upload]), (TarmacError(.digestMismatch, phase: .receiving), [.upload]),
        (TarmacError(.bodyNotReplayable, phase: .sending), []), (TarmacError(.callerFailed, phase: .delivering), []),
        (TarmacError(TarmacError.Code("uploadProtocolFailed", .message, .sent, .lasting), phase: .waiting), []),
    ]

    @Test(arguments: answers.indices) func anAnswerThatMayBeAPortalsEndsNoTransfer(_ row: Int) {
        let (failure, passes) = Self.answers[row]
        for step in [TransferFailurePolicy.Step.app, .download, .upload] {
            let decision = TransferFailurePolicy.decide(failure, of: step, failures: 1, retryAfter: nil, chance: 0.5)
            #expect((decision != .fail) == passes.contains(step), "\(failure.code) \(step)")
        }
    }

    @Test func anOwnerIsTheEnvironmentAndTheUserOfEachService() {
        typealias Login = TransferQueueOwner.Login
        func owner(_ environment: String = "live", _ logins: Login...) -> TransferQueueOwner { .init(environment: environment, logins: logins) }
        let ann = owner("live", Login(service: "a", account: "ann"), Login(service: "b"))
        #expect(!ann.isOther(than: ann))
        #expect(!ann.isOther(than: owner("live", Login(service: "a"), Login(service: "c", account: "bob"))), "no user is logged in")
        #expect(ann.isOther(than: owner("live", Login(service: "a", account: "bob"))))
        #expect(ann.isOther(than: owner("live", Login(service: "a", principal: "p", account: "ann"))))
        #expect(ann.isOther(than: owner("test", Login(service: "a", account: "ann"))))
        // Swift takes the two names for equal text. They are two accounts.
        #expect(owner("live", Login(service: "a", account: "\u{E9}")).isOther(than: owner("live", Login(service: "a", account: "e\u{301}"))))
        #expect(ann.login(of: "a")?.account == "ann" && ann.login(of: "c") == nil)
    }

    @Test func aCallInTheBackgroundHasNoTimeLimits() {
        func options(_ capabilities: TransportCapabilities, isDownload: Bool = false) -> Options {
            var options = Options()
            TransferQueueOptions(record: record("a", 0, .high, [.unmetered]), isDownload: isDownload, capabilities: capabilities).set(in: &options)
            return options
        }
        let plain = options([]), background = options(.background)
        #expect(plain.networkAccess == nil && plain.timeout == nil)
        #expect(background.networkAccess == NetworkAccess(allowsCellular: false, allowsExpensive: false, allowsConstrained: false))
        #expect([background.timeout, background.idleTimeout, background.deadline, background.queueTimeout].allSatisfy { $0 == .unlimited })
        #expect(plain.priority == .high && plain.transferKey == "queue k" && plain.idempotencyKey == .value("k"))
        #expect(options([], isDownload: true).idempotencyKey == nil)
    }
}
