import HTTPTypes
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// Loading and refreshing. The session owns this work, whichever call asked for it.
extension TokenSession {
    /// Starts the work that the policy asks for. Only the caller that receives it does so, so that nothing starts
    /// twice.
    func start(_ work: AuthPolicy.Work, for context: CallContext) {
        let number = work.number
        let watch = AuthWorkWatch(session: self, work: number, context: context)
        let timer = deadlines.add(watch, at: time.moment + authenticator.refreshRule.timeout)
        // A store that hangs would keep a task for each load. The last load begins when the store answers.
        let (isQueued, _) = state.withLock { state -> (Bool, replaced: TokenSession.QueuedLoad?) in
            guard case .load = work, state.hungLoad != nil else { return (false, nil) }
            defer { state.queuedLoad = TokenSession.QueuedLoad(work: work, context: context, timer: timer) }
            return (true, state.queuedLoad)
        }
        if !isQueued { begin(work, for: context, timer) }
    }

    private func begin(_ work: AuthPolicy.Work, for context: CallContext, _ timer: DeadlineTimer<AuthWorkWatch>) {
        let number = work.number
        guard let membership = AuthWorkMembership(in: context) else { return fail(TarmacError.clientShutDown, number) }
        state.withLock { state in
            // Work of another login may hang for ever, and its result is of no use to this one.
            let previous = state.taskLogin == state.policy.login ? state.task : nil
            let place = state.membership
            (state.taskNumber, state.taskLogin) = (number, state.policy.login)
            state.membership = membership
            // LIFETIME: ends with its work, which log-in, log-out, shutdown and the rule's time limit cancel.
            state.task = Task { [self] in
                await end(of: previous)
                place?.leave()
                switch work {
                case .load: await load(number, for: context)
                case .refresh: await refresh(number, for: context)
                }
                timer.stop()
                // A task that has ended would be kept as long as its session.
                let (queued, isClosed) = self.state.withLock { state -> (TokenSession.QueuedLoad?, Bool) in
                    if state.taskNumber == number { (state.task, state.membership) = (nil, nil) }
                    guard state.hungLoad == number else { return (nil, state.isClosed) }
                    defer { (state.hungLoad, state.queuedLoad) = (nil, nil) }
                    return (state.queuedLoad, state.isClosed)
                }
                membership.leave()
                if let queued, !isClosed { begin(queued.work, for: queued.context, queued.timer) }
            }
            // The session may have ended since the decision.
            if state.isClosed { state.task?.cancel() }
        }
    }

    /// Returns when the work before has ended, which may bring the token that is missing. Work that hangs is waited for once.
    private func end(of previous: Task<Void, Never>?) async {
        guard let previous else { return }
        await time.wait(atMost: authenticator.refreshRule.timeout / 2) { await previous.value }
    }

    private func fail(_ error: TarmacError, _ work: Int) {
        let waiting = state.withLock { $0.policy.failed(.fail, work: work, now: time.moment) == .stale ? [] : $0.takeWaiting() }
        for wait in waiting { wait.settle(.failure(error)) }
    }

    // MARK: Loading

    private func load(_ work: Int, for context: CallContext) async {
        do { loaded(try await storeQueue.read(), work) } catch { isUnreadable(error, work, for: context) }
    }

    /// Handles a store that cannot be read. An authenticator that needs no login continues without a token. Otherwise
    /// the waiting calls fail, because an unknown login is not the same as no login.
    private func isUnreadable(_ error: TarmacError, _ work: Int, for context: CallContext) {
        context.emit(AuthEvent.tokenStoreFailed(error))
        if authenticator.canRefresh(nil) { loaded(nil, work) } else { fail(error, work) }
    }

    private func loaded(_ token: AccessToken?, _ work: Int) {
        let token = token.map(identified)
        let facts = token.map { self.facts(of: $0) }
        let waiting = state.withLock { state in
            _ = state.policy.loaded(token, outlook: facts?.outlook ?? .final, lifetime: facts?.lifetime, work: work, now: facts?.now ?? time.moment)
            return state.takeWaiting()
        }
        AuthWait.wake(waiting)
    }

    /// Returns a token of the store with its account.
    func identified(_ token: AccessToken) -> AccessToken {
        guard isOwn(token) else { return token.withAccount }
        var token = token
        token.account = token.account ?? Self.ownAccount
        return token
    }

    /// Whether a token may be the app's own and not of a user: one of client credentials, or one that needs no login and has no refresh token.
    func isOwn(_ token: AccessToken) -> Bool { hasClientCredentials || authenticator.canRefresh(nil) && token.refreshToken == nil }

    var hasClientCredentials: Bool {
        if case .clientCredentials? = (authenticator as? OAuthAuthenticator)?.grant { true } else { false }
    }

    /// Whether a new token belongs to the account of the app. An authenticator that logs in by itself may do so for another user after a
    /// login has ended; a store of several processes keeps its accounts.
    func isOfApp(_ token: AccessToken) -> Bool {
        hasClientCredentials || isOwn(token) && !storeQueue.isShared && !hasEnded.withLock { $0 }
    }

    /// Returns the facts about a token that the policy needs.
    func facts(of token: AccessToken) -> (outlook: AuthPolicy.Outlook, lifetime: Duration?, now: Moment) {
        let outlook: AuthPolicy.Outlook = authenticator.canRefresh(token) ? .refreshable : .final
        let clock = token.expiryBasis.isOwnClock ? .none : state.withLock { $0.clock }
        // One that no field can hold would fail every call and never be renewed.
        if outlook == .refreshable, (try? probe(token)) == nil { return (outlook, .zero, time.moment) }
        // An expiry beyond the range of the clock counts as none.
        let seconds = token.expiry.map { clock.lifetime($0.timeIntervalSince(time.date)) }
        return (outlook, seconds.flatMap { abs($0) < 1e9 ? .seconds($0) : nil }, time.moment)
    }

    // MARK: Refreshing

    private func refresh(_ work: Int, for context: CallContext) async {
        guard state.withLock({ $0.policy.isCurrent(work) && !$0.isClosed }) else { return }
        let start = time.moment
        context.emit(AuthEvent.refreshStarted)
        let lock = await storeQueue.lock(atMost: authenticator.refreshRule.timeout / 2)
        defer { lock?.end() }
        let isContested = storeQueue.isContested(lock)
        do {
            let refresh = AwaitedWork(of: self, for: context)
            let gain = try await refresh.run { try await self.askRepeatedly(work, context, refresh, isContested) }
            if await adopt(gain, work, context) { context.emit(AuthEvent.refreshEnded(duration: time.moment - start)) }
        } catch {
            await end(work, error, consequence(of: error, context), isContested: isContested, for: context)
        }
    }

    /// Asks the authenticator until it returns a token or a final error, or no attempts are left.
    ///
    /// Another process may have refreshed the token, which spends the refresh token of this one. So the store is read
    /// again before the first request and after a refusal.
    private func askRepeatedly(_ work: Int, _ context: CallContext, _ awaited: AwaitedWork, _ isContested: Bool) async throws -> Gain {
        guard let client = awaited.client else { throw TarmacError.clientShutDown }
        var old = state.withLock { $0.policy.held?.token }
        let refresh = RefreshContext(
            client: client, service: context.scope.service, key: key, time: time, hosts: context.scope.hosts)
        if let gain = await look(&old, context) { return gain }
        var attempt = 1
        while true {
            try Task.checkCancellation()
            do { return .new(try await ask(old, refresh, awaited)) } catch {
                let consequence = consequence(of: error, context), asked = old
                if consequence == .logOut {
                    if let gain = try await lookAfterRefusal(&old, context, isContested) { return gain }
                    guard let asked, let old, !old.isSame(as: asked) else { throw error }
                    // A newer refresh token is asked for at most as often as the rule allows. It was not refused, so it stays.
                    guard attempt < authenticator.refreshRule.maximumAttempts else { return .found(old) }
                    attempt += 1
                    continue
                }
                let chance = context.randomness.fraction()
                let pause = authenticator.refreshRule.pause(after: attempt, retryAfter: error.retryAfter(time), chance: chance)
                guard consequence == .retry, let pause else { throw error }
                try await time.sleep(until: time.moment + pause)
                attempt += 1
            }
        }
    }

    private func ask(_ token: AccessToken?, _ refresh: RefreshContext, _ awaited: AwaitedWork) async throws -> AccessToken {
        defer { if let head = awaited.head.withLock({ $0 }) { noteClock(head) } }
        let fresh = try await authenticator.refresh(token, in: refresh)
        do { try probe(fresh) } catch {
            // The calls that are sent with it fail. Without it, the next refresh would ask with the spent refresh token.
            if let renewed = fresh.refreshToken, renewed != token?.refreshToken { return fresh }
            throw TarmacError(.refreshFailed, phase: .authenticating, "the new token holds a character that no header field can have", cause: error)
        }
        return fresh
    }

    /// - Throws: an error if the token cannot be sent.
    private func probe(_ token: AccessToken) throws(TarmacError) {
        var request = Request(.get, try HTTPURL("https://tarmac.invalid/"))
        // Any other error is of an authenticator that looks at the request.
        do { try authenticator.authorize(&request, with: token) } catch let error as TarmacError where error.code == .invalidParameter { throw error } catch {}
    }

    /// Notes the server's clock, as its response shows it.
    func noteClock(_ headers: HTTPFields) {
        guard let clock = ClockDifference(headers, now: time.date.timeIntervalSince1970) else { return }
        state.withLock { $0.clock = clock }
    }

    /// Returns the consequence of an error.
    private func consequence(of error: any Error, _ context: CallContext) -> RefreshConsequence {
        if error is CancellationError || (error as? TarmacError)?.code == .tokenStoreFailed { return .fail }
        let consequence = authenticator.consequence(of: error)
        // A server that refuses with status 200 says so by the code of its envelope.
        return consequence == .fail && context.isExpired(error as? TarmacError) ? .logOut : consequence
    }

    /// Ends a failed refresh for all waiting calls. Does nothing if it is not the current one.
    func end(
        _ work: Int, _ error: any Error, _ consequence: RefreshConsequence, reason: LogOutReason = .refused, isContested: Bool = false,
        for context: CallContext
    ) async {
        let cause = error as? TarmacError
        let failed = refreshFailed(error), retryAfter = error.retryAfter(time)
        typealias End = (failure: AuthPolicy.Failure, removal: TokenStoreQueue.Queued<Void>?, waiting: [AuthWait], before: TarmacError?)
        let (failure, removal, waiting, _) = state.withLock { state -> End in
            // A shutdown ends no login; the store keeps its token.
            if state.isClosed { return (.stale, nil, [], nil) }
            let refused = state.policy.held?.token
            let failure = state.policy.failed(consequence, reason: reason, retryAfter: retryAfter, work: work, now: time.moment)
            defer { if failure == .failed { state.failure = failed } }
            var removal: TokenStoreQueue.Queued<Void>?
            // Before a call can see that there is no login, and read the entry of the one that has ended.
            if case .loggedOut = failure {
                hasEnded.withLock { $0 = true }
                removal = storeQueue.startRemoval(of: refused, unless: current, isContested: isContested)
            }
            return (failure, removal, failure == .stale ? [] : state.takeWaiting(), state.failure)
        }
        switch failure {
        case .stale: return
        case .failed:
            for wait in waiting { wait.settle(.failure(failed)) }
            context.emit(AuthEvent.refreshFailed(failed))
        case .loggedOut(let reason):
            let ending = state.withLock { state in
                // LIFETIME: ends with the removal from the store, for which a shutdown waits.
                let task = Task { [self] in await announceLogOut(reason, removal, for: context) }
                state.ending = task
                return task
            }
            context.emit(AuthEvent.refreshFailed(failed))
            for wait in waiting { wait.settle(.failure(Self.loggedOut(key, cause: cause))) }
            await ending.value
            state.withLock { if $0.ending == ending { $0.ending = nil } }
        }
    }

    func refreshFailed(_ error: any Error) -> TarmacError {
        if let error = error as? TarmacError, error.code == .clientShutDown { return error }
        let known = error as? TarmacError
        let what = known.map { "\($0.code)" + ($0.status.map { ", status \($0.code)" } ?? "") } ?? "\(type(of: error))"
        return TarmacError(
            .refreshFailed, phase: .authenticating, "the token of \(key) could not be refreshed: \(what)\(state.withLock { $0.clock }.note)",
            suggestion: "try again later; the login lasts", cause: error
        ).with(response: known?.response).with(serverCode: known?.serverCode, message: nil)
    }
}

extension TokenSession {
    /// The error of a load whose store did not answer in time.
    private var hangs: TarmacError {
        TarmacError(
            .tokenStoreFailed, phase: .authenticating,
            "the token of \(key) cannot be read: its store did not answer within \(authenticator.refreshRule.timeout.shown)")
    }

    /// Releases all waiting calls immediately. The work itself ends when it notices. A refresh goes on for a second time limit, which is
    /// returned: its answer may have been sent already, and come when a process is no longer suspended.
    func expire(_ work: Int, for context: CallContext) -> Moment? {
        let (isLoading, membership, _) = state.withLock { state -> (Bool, AuthWorkMembership?, before: TokenSession.QueuedLoad?) in
            let before = state.queuedLoad
            guard state.policy.isLoading(work) else { return (false, nil, before) }
            if before?.work.number == work { state.queuedLoad = nil }
            guard state.hungLoad == nil else { return (true, nil, before) }
            state.hungLoad = work
            return (true, state.taskNumber == work ? state.membership : nil, before)
        }
        if isLoading {
            membership?.leave()
            context.emit(AuthEvent.tokenStoreFailed(hangs))
            // Calls that need no login would wait for the same store.
            fail(hangs, work)
            return nil
        }
        let error = TarmacError(.timeout, phase: .authenticating, "it did not end within \(authenticator.refreshRule.timeout.shown)")
        let failed = refreshFailed(error)
        let waiting = state.withLock { $0.policy.goesOn(work) && !$0.isClosed ? $0.takeWaiting() : nil }
        if let waiting {
            for wait in waiting { wait.settle(.failure(failed)) }
            context.emit(AuthEvent.refreshFailed(failed))
            return time.moment + authenticator.refreshRule.timeout
        }
        state.withLock { if $0.policy.isCurrent(work) { $0.task?.cancel() } }
        // LIFETIME: ends with the store's operation.
        Task { await end(work, error, .fail, for: context) }
        return nil
    }
}

extension AuthPolicy.Work {
    var number: Int {
        switch self {
        case .load(let number), .refresh(let number): number
        }
    }
}

extension Error {
    /// Returns the wait that a server asks for, in seconds or until a date (RFC 9110 §10.2.3).
    fileprivate func retryAfter(_ time: any TimeSource) -> Duration? {
        (self as? TarmacError)?.response.flatMap { RetryAfter.duration($0.headers, now: time.date.timeIntervalSince1970) }
    }
}
