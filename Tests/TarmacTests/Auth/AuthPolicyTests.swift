import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP

@Suite("Auth policy")
struct AuthPolicyTests {
    private let now = Moment.now

    private func policy(_ token: String? = "t", lifetime: Duration? = nil, outlook: AuthPolicy.Outlook = .refreshable) -> AuthPolicy {
        var policy = AuthPolicy(rule: RefreshRule { $0.leeway = .seconds(10) }, emptyOutlook: .final)
        if let token { policy.logIn(AccessToken(token), outlook: outlook, lifetime: lifetime, now: now) } else { policy.logOut() }
        return policy
    }

    private func text(_ admission: AuthPolicy.Admission) -> String {
        switch admission {
        case .go(let work): work == nil ? "go" : "go, refresh"
        case .wait(let work): work == nil ? "wait" : "wait, refresh"
        case .end(let ending): "\(ending)"
        }
    }

    @Test(
        arguments: [
            (nil, 0, "go"), (100, 89, "go"), (100, 90, "go, refresh"), (100, 99, "go, refresh"), (100, 100, "wait, refresh"), (-5, 0, "wait, refresh"),
            // Half of a short life at most.
            (4, 1, "go"), (4, 2, "go, refresh"),
        ] as [(Int?, Int, String)])
    func aTokenIsRefreshedAheadAndNotUsedBeyondItsLife(lifetime: Int?, age: Int, expected: String) {
        var policy = policy(lifetime: lifetime.map { .seconds($0) })
        var call = AuthPolicy.CallState()
        #expect(text(policy.admit(&call, now: now + .seconds(age))) == expected)
        var second = AuthPolicy.CallState()
        #expect(text(policy.admit(&second, now: now + .seconds(age))) == expected.replacing(", refresh", with: ""))
    }

    /// The short way says what the long way says, and nothing where there is something to do.
    @Test(arguments: [(nil, 0), (100, 89), (100, 90), (100, 100), (-5, 0)] as [(Int?, Int)])
    func whoIsAdmittedAtOnceIsAdmitted(lifetime: Int?, age: Int) {
        var short = policy(lifetime: lifetime.map { .seconds($0) }), long = short
        var call = AuthPolicy.CallState(), other = AuthPolicy.CallState()
        let isAtOnce = short.admitsAtOnce(&call, now: now + .seconds(age))
        #expect(isAtOnce == (text(long.admit(&other, now: now + .seconds(age))) == "go"))
        #expect(call.login == (isAtOnce ? other.login : nil))
        // What it did not admit goes the long way as if it had not been asked.
        if !isAtOnce { #expect(text(short.admit(&call, now: now + .seconds(age))) != "go") }
        // A login later it is not the same call's.
        short.logIn(AccessToken("u"), outlook: .refreshable, lifetime: nil, now: now)
        let isAdmitted = call.login != nil && short.admitsAtOnce(&call, now: now)
        #expect(!isAdmitted)
    }

    /// Of nearly every call's way, the clock is the dearest part.
    @Test(arguments: [nil, 100] as [Int?])
    func theClockIsReadForATokenThatExpiresAlone(lifetime: Int?) {
        var policy = policy(lifetime: lifetime.map { .seconds($0) }), call = AuthPolicy.CallState(), reads = 0
        var read: Moment {
            reads += 1
            return now
        }
        let isAdmitted = policy.admitsAtOnce(&call, now: read)
        guard isAdmitted, case .stamp = policy.stamp(call, now: read) else { return #expect(Bool(false)) }
        #expect((reads > 0) == (lifetime != nil))
    }

    @Test func whoeverMustWaitIsNotAdmittedAtOnce() throws {
        var new = AuthPolicy(rule: RefreshRule(), emptyOutlook: .final), call = AuthPolicy.CallState()
        var isAdmitted = new.admitsAtOnce(&call, now: now)
        #expect(!isAdmitted && text(new.admit(&call, now: now)).hasPrefix("wait"))
        var out = policy(nil)
        isAdmitted = out.admitsAtOnce(&call, now: now)
        #expect(!isAdmitted)
        var refused = policy()
        var first = AuthPolicy.CallState(), second = AuthPolicy.CallState()
        _ = refused.admit(&first, now: now)
        guard case .wait = refused.refused(&first, with: try #require(refused.held?.id), now: now) else { return #expect(Bool(false)) }
        isAdmitted = refused.admitsAtOnce(&second, now: now)
        #expect(!isAdmitted)
    }

    /// The field of a token is made once, and follows the token.
    @Test func aTokensFieldIsItsOwn() throws {
        var token = AccessToken("one").prepared()
        #expect(token == AccessToken("one") && token.bearer.field?.value == "Bearer one")
        token.value = "two"
        #expect(token.bearer.field == nil && AccessToken("a\nb").prepared().bearer.field == nil)
        struct Plain: Authenticator {
            func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { AccessToken("x") }
        }
        for token in [token, token.prepared()] {
            var request = Request(.get, try HTTPURL("https://s.example/"), headers: [.authorization: "Basic x", .accept: "a"])
            try Plain().authorize(&request, with: token)
            #expect(request.headers[values: .authorization] == ["Bearer two"] && request.headers[.accept] == "a")
        }
    }

    @Test func whatCannotBeRefreshedIsTheServersToJudge() {
        var policy = policy(lifetime: .seconds(1), outlook: .final)
        var call = AuthPolicy.CallState()
        #expect(text(policy.admit(&call, now: now + .seconds(5))) == "go")
        guard case .stamp(let held) = policy.stamp(call, now: now + .seconds(5)) else { return #expect(Bool(false)) }
        guard case .deliver = policy.refused(&call, with: held.id, now: now) else { return #expect(Bool(false)) }
    }

    /// The server decides after two refreshes, however short the lives of its tokens are.
    @Test func aTokenThatExpiresOnTheWayEachTimeIsSentAfterTwoRefreshes() {
        var policy = policy(lifetime: .seconds(1)), call = AuthPolicy.CallState(), time = now, refreshes = 0, turns = 0
        while turns < 100 {
            turns += 1
            time = time + .seconds(3)
            if case .wait(.refresh(let work)) = policy.admit(&call, now: time) {
                refreshes += 1
                _ = policy.refreshed(AccessToken("t"), outlook: .refreshable, lifetime: .seconds(2), work: work, now: time)
                continue
            }
            if case .stamp = policy.stamp(call, now: time) { break }
        }
        #expect(refreshes == 2 && turns == 3)
    }

    /// A clock that is wrong, or a server that counts otherwise, makes no loop.
    @Test(arguments: [(-86_400, true), (0, true), (0.5, true), (1, false), (60, false)] as [(Double, Bool)])
    func aNewTokenThatHasExpiredIsUsedUntilItIsRefused(lifetime: Double, isUsed: Bool) {
        var policy = policy(lifetime: .zero), call = AuthPolicy.CallState(), next = AuthPolicy.CallState()
        guard case .wait(.refresh(let work)) = policy.admit(&call, now: now) else { return #expect(Bool(false)) }
        _ = policy.refreshed(AccessToken("t"), outlook: .refreshable, lifetime: .seconds(lifetime), work: work, now: now)
        #expect(text(policy.admit(&call, now: now)) == "go")
        #expect(text(policy.admit(&next, now: now + .seconds(3_600))) == (isUsed ? "go" : "wait, refresh"))
    }

    /// Brings the next token of the refresh under way.
    private func refresh(_ policy: inout AuthPolicy, _ refusal: AuthPolicy.Refusal) -> Int {
        guard case .wait(.refresh(let work)?) = refusal else { return -1 }
        let isInTime = policy.refreshed(AccessToken("t"), outlook: .refreshable, lifetime: nil, work: work, now: now)
        return isInTime ? policy.held?.id ?? -1 : -1
    }

    @Test(arguments: ["succeeds", "is refused", "leaves", "leaves early"])
    func theSecondTokenACallGetsIsItsAloneUntilItKnows(outcome: String) throws {
        var policy = policy()
        var call = AuthPolicy.CallState(), other = AuthPolicy.CallState()
        _ = (policy.admit(&call, now: now), policy.admit(&other, now: now))
        let first = refresh(&policy, policy.refused(&call, with: try #require(policy.held?.id), now: now))
        // Nobody waits for the first one, and others wear it out.
        #expect(text(policy.admit(&other, now: now)) == "go")
        policy.succeeded(with: first, login: 1)
        let refusal = policy.refused(&call, with: first, now: now)
        if outcome == "leaves early" {
            let wasAwaited = policy.leave(call)
            #expect(!wasAwaited)
        }
        let second = refresh(&policy, refusal)
        #expect(text(policy.admit(&call, now: now)) == "go")
        if outcome == "leaves early" { return #expect(text(policy.admit(&other, now: now)) == "go") }
        #expect(text(policy.admit(&other, now: now)) == "wait")
        guard case .turnBack = policy.stamp(other, now: now), case .stamp = policy.stamp(call, now: now) else { return #expect(Bool(false)) }
        if outcome == "succeeds" { policy.succeeded(with: second, login: 1) }
        if outcome == "is refused" {
            guard case .deliver = policy.refused(&call, with: second, now: now) else { return #expect(Bool(false)) }
        }
        let wasAwaited = [policy.leave(other), policy.leave(call), policy.leave(call)]
        #expect(wasAwaited == [false, true, false])
        #expect(text(policy.admit(&other, now: now)) == (outcome == "is refused" ? "wait, refresh" : "go"))
    }

    @Test func fruitlessRefreshesPauseAndAreTriedAgainOncePerPause() {
        var policy = policy()
        var time = now
        var refreshes = 0
        for _ in 0..<200 {
            var call = AuthPolicy.CallState()
            while true {
                let admission = policy.admit(&call, now: time)
                if case .wait(.refresh(let work)) = admission {
                    refreshes += 1
                    _ = policy.refreshed(AccessToken("t"), outlook: .refreshable, lifetime: nil, work: work, now: time)
                    continue
                }
                guard case .stamp(let held) = policy.stamp(call, now: time) else { break }
                let refusal = policy.refused(&call, with: held.id, now: time)
                guard case .wait(.refresh(let work)) = refusal else { break }
                refreshes += 1
                _ = policy.refreshed(AccessToken("t"), outlook: .refreshable, lifetime: nil, work: work, now: time)
            }
            time = time + .seconds(1)
        }
        // Two at once, then one for each 30 s of 200.
        #expect((8...10).contains(refreshes))
    }

    @Test(arguments: 0..<50)
    func whoeverIsLetGoMayTakeTheTokenAlong(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var policy = policy(Bool.random(using: &generator) ? "t" : nil)
        var time = now, work: [Int] = [], trips = (0..<6).map { _ in AuthPolicy.CallState() }
        for _ in 0..<400 {
            time = time + .seconds(Int.random(in: 0...20, using: &generator))
            let index = Int.random(in: trips.indices, using: &generator)
            let lifetime: Duration? = Bool.random(using: &generator) ? .seconds(Int.random(in: -5...60, using: &generator)) : nil
            switch Int.random(in: 0..<9, using: &generator) {
            case 0...2:
                let admission = policy.admit(&trips[index], now: time)
                if case .go(let started) = admission {
                    if case .refresh(let number)? = started { work.append(number) }
                    guard case .stamp = policy.stamp(trips[index], now: time) else { return #expect(Bool(false), "turned back for ever") }
                } else if case .wait(.refresh(let number)) = admission {
                    work.append(number)
                } else if case .end = admission {
                    trips[index] = AuthPolicy.CallState()
                }
            case 3, 4:
                guard case .stamp(let held) = policy.stamp(trips[index], now: time) else { continue }
                if Bool.random(using: &generator) {
                    policy.succeeded(with: held.id, login: trips[index].login)
                } else if case .wait(.refresh(let number)) = policy.refused(&trips[index], with: held.id, now: time) {
                    work.append(number)
                }
            case 5, 6:
                guard let number = work.randomElement(using: &generator) else { continue }
                #expect(work.count { policy.isCurrent($0) } <= 1)
                _ = policy.refreshed(AccessToken("n"), outlook: .refreshable, lifetime: lifetime, work: number, now: time)
            case 7:
                guard let number = work.randomElement(using: &generator) else { continue }
                let consequences: [RefreshConsequence] = [.logOut, .fail, .retry]
                _ = policy.failed(consequences[Int.random(in: 0..<3, using: &generator)], work: number, now: time)
            default:
                let login = policy.login
                if Bool.random(using: &generator) {
                    policy.logOut()
                } else {
                    policy.logIn(AccessToken("l"), outlook: .refreshable, lifetime: lifetime, now: time)
                }
                #expect(policy.login > login)
            }
        }
    }

    @Test func theBackOffGrowsIsJitteredAndObeysTheServerWithinLimits() {
        let rule = RefreshRule { $0.maximumAttempts = 8 }
        var generator = SeededGenerator(seed: 3)
        for attempt in 1...7 {
            let longest = min(0.5 * Double(1 << (attempt - 1)), 10)
            let pauses = (0..<200).compactMap { _ in rule.pause(after: attempt, retryAfter: nil, chance: .random(in: 0..<1, using: &generator))?.seconds }
            #expect(pauses.count == 200 && pauses.allSatisfy { $0 >= 0 && $0 <= longest })
            #expect(Set(pauses).count > 100)
        }
        #expect(rule.pause(after: 8, retryAfter: nil, chance: 0) == nil)
        #expect(rule.pause(after: 1, retryAfter: .seconds(7), chance: 1) == .seconds(7))
        #expect(rule.pause(after: 1, retryAfter: .seconds(11), chance: 0) == nil)
    }

    @Test func newCallsStandBehindReplaysThatAreOnTheirWay() {
        var line = SlotQueue<Int>(limit: 3)
        _ = line.enter()
        line.expect()
        // One slot is kept and one is free, and a replay whose thread comes late would find its token worn out.
        let newCall = line.enter()
        #expect(!newCall)
        let known = line.enter(isReplay: true)
        #expect(known)
        for number in 1...3 { line.wait(number, priority: .high) }
        let passedOn = line.leave(), early = line.next()
        #expect((passedOn, early) == (nil, nil))
        let replay = line.enter(isExpected: true)
        #expect(replay)
        #expect((line.inFlight, line.expected) == (2, 0))
        // Nobody is ahead of them any more.
        #expect(line.next() == 1)
        #expect(line.next() == nil)
        line.expect()
        let first = line.leave()
        #expect(first == nil)
        // It does not come.
        line.cease()
        #expect(line.next() == 2)
        #expect(line.next() == nil)
        #expect((line.inFlight, line.expected, line.waiting) == (3, 0, 1))
    }

    @Test func aReplayThatFindsNoSlotIsPassedByNobodyUntilItWaits() {
        var line = SlotQueue<Int>(limit: 1)
        _ = line.enter()
        line.wait(1, priority: .high)
        line.expect()
        let replay = line.enter(isExpected: true)
        #expect(!replay)
        // The slot comes free before the replay stands in line.
        let next = line.leave(), newCall = line.enter()
        #expect(next == nil)
        #expect(!newCall)
        let again = line.enter(isExpected: true)
        #expect(again)
        #expect((line.inFlight, line.expected, line.waiting) == (1, 0, 1))
    }

    @Test func aSlotIsKeptFromTheWakingUntilTheReplayComesOrGoes() async throws {
        let lane = Dispatcher(limit: 1)
        var wait: AuthWait? = AuthWait(late: TarmacError(.deadlineExceeded), dispatcher: lane)
        AuthWait.wake([wait].compactMap { $0 })
        let newCall = Task { try await lane.enter(.high, watch: { _ in nil }, queued: {}) }
        await eventually { lane.waiting == 1 }
        wait = nil
        try await newCall.value
        lane.leave()
        #expect(wait == nil)
    }

    @Test(arguments: 0..<40)
    func noSlotIsLostAndNoneIsGivenTwice(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let limit = Int.random(in: 1...4, using: &generator)
        var line = SlotQueue<Int>(limit: limit)
        var flying = 0, expected = 0, waiting = 0
        let take: (Int?) -> Void = { if $0 != nil { (flying, waiting) = (flying + 1, waiting - 1) } }
        func letThrough() {
            while let next = line.next() { take(next) }
        }
        for number in 0..<500 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0:
                line.expect()
                expected += 1
            case 1 where expected > 0:
                expected -= 1
                if line.enter(isExpected: true) {
                    flying += 1
                } else {
                    line.wait(number, priority: .low, isReplay: true)
                    line.cease()
                    waiting += 1
                }
                letThrough()
            case 2 where expected > 0:
                expected -= 1
                line.cease()
                letThrough()
            case 3 where flying > 0:
                flying -= 1
                take(line.leave())
            default:
                let isReplay = Bool.random(using: &generator)
                if line.enter(isReplay: isReplay) {
                    flying += 1
                } else {
                    line.wait(number, priority: .normal, isReplay: isReplay)
                    waiting += 1
                }
            }
            // Nobody waits for nothing.
            #expect(waiting == 0 || flying == limit || expected > 0)
            #expect((line.inFlight, line.expected, line.waiting) == (flying, expected, waiting))
            #expect(flying <= limit)
        }
        while expected > 0 {
            expected -= 1
            line.cease()
            letThrough()
        }
        while flying > 0 {
            flying -= 1
            take(line.leave())
        }
        #expect((line.inFlight, line.waiting) == (0, 0))
    }

    @Test func replaysStandAheadOfAllAndOutsideOfFairness() {
        var line = SlotQueue<Int>(limit: 1)
        let isFirst = line.enter()
        #expect(isFirst)
        for number in 0..<3 {
            line.wait(number, priority: .high)
            line.wait(10 + number, priority: .low)
        }
        for number in 0..<6 { line.wait(100 + number, priority: .low, isReplay: true) }
        #expect(line.waiting == 12)
        var order: [Int?] = []
        for _ in 0..<7 { order.append(line.leave()) }
        #expect(order == [100, 101, 102, 103, 104, 105, 0])
    }
}
