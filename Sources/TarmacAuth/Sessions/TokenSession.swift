import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// The tokens of one service, environment and principal. It performs the decisions of ``AuthPolicy``.
final class TokenSession: AuthSession {
    struct State {
        var policy: AuthPolicy
        var waiting: [AuthWait] = []
        /// The number of waiting calls at which ended ones are removed.
        var clearAt = 64
        /// The current refresh. The next begins when it has ended.
        var task: Task<Void, Never>?
        /// The number of the work that `task` does.
        var taskNumber = 0
        /// The login that it is for.
        var taskLogin = 0
        /// The place of `task` in its runtime.
        var membership: AuthWorkMembership?
        /// The removal of the last login that was refused, and the report of its end. Work of another login may have begun since.
        var ending: Task<Void, Never>?
        /// The number of a load that did not end in time and has not ended since.
        var hungLoad: Int?
        /// The load that begins when the hung one has ended.
        var queuedLoad: QueuedLoad?
        var isClosed = false
        /// The error of the last refresh, if it failed, for the calls that do not start the next one.
        var failure: TarmacError?
        /// Whether the store lacks the last change, which is written again after a pause.
        var isUnwritten = false
        /// The writes in a row that have failed.
        var failedWrites = 0
        /// The write of a change that the store lacks, while it runs.
        var writing: Task<Void, Never>?
        /// The refusals in a row that were not believed because the store did not answer.
        var doubts = 0
        /// The difference between the clocks of the server and this device.
        var clock = ClockDifference.none
    }

    /// A load that waits for the end of a hung one, with its time limit.
    struct QueuedLoad {
        let work: AuthPolicy.Work
        let context: CallContext
        let timer: DeadlineTimer<AuthWorkWatch>
    }

    let key: TokenKey
    let authenticator: any Authenticator
    let time: any TimeSource
    let deadlines: DeadlineHeap
    let storeQueue: TokenStoreQueue
    let state: Locked<State>
    /// Whether a login of this session, or of one before it, has ended.
    let hasEnded: Locked<Bool>
    /// The number before that of this session's first login. A session that replaces it has others.
    private let firstLogin: Int64
    private static let sessions = Locked(Int64(0))

    init(_ authenticator: any Authenticator, _ store: (any TokenStore)?, key: TokenKey, time: any TimeSource, deadlines: DeadlineHeap, hasEnded: Locked<Bool>) {
        self.key = key
        self.hasEnded = hasEnded
        self.authenticator = authenticator
        self.time = time
        self.deadlines = deadlines
        storeQueue = TokenStoreQueue(store, key: (authenticator as? OAuthAuthenticator)?.storeKey(key) ?? key)
        let outlook: AuthPolicy.Outlook = authenticator.canRefresh(nil) ? .refreshable : .final
        firstLogin = Self.sessions.withLock { sessions in
            sessions += 1
            return sessions << 32
        }
        state = Locked(State(policy: AuthPolicy(rule: authenticator.refreshRule, emptyOutlook: outlook, isStored: store != nil)))
    }

    /// Whether a session is of the same authenticator for the same service and environment, whatever its principal.
    func hasAuthenticator(of session: any AuthSession) -> Bool {
        guard let other = session as? TokenSession else { return false }
        return other === self
            || key.service.isExactly(other.key.service) && key.environment.isExactly(other.key.environment)
                && authenticator.name.isExactly(other.authenticator.name)
    }

    // MARK: Calls

    /// A token with a success needs no further proof, and no lock.
    func passesOn(_ response: Response, isRefused: Bool) -> Bool { !isRefused && response[StampedCredential.self]?.isProven != false }

    func begin(_ context: CallContext) {
        if let login = state.withLock({ $0.policy.loginAtBegin }) { _ = binds(context, to: login) }
    }

    /// Binds a call to a login, unless it is bound. Returns whether it belongs to that login.
    private func binds(_ context: CallContext, to login: Int) -> Bool { context.belongs(toLogin: firstLogin + Int64(login), of: self) }

    nonisolated(nonsending) func admit(_ pass: inout AuthPass, for context: CallContext) async throws {
        // An earlier request of the call, or the key of its cache, has bound it.
        if pass.call.login == nil, let login = context.login { pass.call = AuthPolicy.CallState(login: ofThisSession(login)) }
        try await admitBound(&pass, for: context)
        guard let login = pass.call.login, binds(context, to: login) else { throw error(of: .superseded) }
    }

    /// The policy's number of a login; one that no login has for that of another session. `Int` has 32 bits on a watch.
    private func ofThisSession(_ login: Int64) -> Int { Int(exactly: login - firstLogin).flatMap { $0 < 0 ? nil : $0 } ?? -1 }

    @inline(__always)
    private nonisolated(nonsending) func admitBound(_ pass: inout AuthPass, for context: CallContext) async throws {
        // Nearly every call.
        if state.withLock({ !$0.isClosed && $0.policy.admitsAtOnce(&pass.call, now: time.moment) }) { return }
        while true {
            let (admission, wait) = try state.withLock { [now = time.moment] state throws(TarmacError) in
                if state.isClosed { throw TarmacError.clientShutDown }
                let admission = state.policy.admit(&pass.call, now: now)
                guard case .wait = admission else { return (admission, AuthWait?.none) }
                return (admission, state.join(for: context, isReplay: pass.call.isReplay))
            }
            switch admission {
            case .go(let work):
                if let work { start(work, for: context) }
                return
            case .wait(let work):
                // Other calls may use the reserved slot of the last attempt while this one waits.
                pass.place = nil
                if let work { start(work, for: context) }
                pass.place = try await wait?.value(for: context)
            case .end(let ending):
                pass.place = nil
                throw error(of: ending)
            }
        }
    }

    func stamp(_ request: inout Request, _ pass: AuthPass) throws -> StampedCredential {
        switch state.withLock({ $0.policy.stamp(pass.call, now: time.moment) }) {
        case .turnBack: throw AuthTurnBack()
        case .stamp(let held):
            do { try authenticator.authorize(&request, with: held.box.token) } catch let error as TarmacError {
                // It cannot be sent: the next call renews it, as one that was refused.
                if error.code == .invalidParameter, authenticator.canRefresh(held.box.token) { state.withLock { $0.policy.note(refusalOf: held.id) } }
                throw error
            } catch {
                throw TarmacError(
                    .callerFailed, phase: .authenticating, "the authenticator \(authenticator.name) threw \(type(of: error))", cause: error)
            }
            return StampedCredential(id: held.id, isProven: !held.needsProof)
        }
    }

    func judge(_ response: Response, to request: Request, isRefused: Bool, _ pass: inout AuthPass, for context: CallContext) async throws -> Bool {
        // A response that a lower interceptor made has no token.
        guard let stamped = response[StampedCredential.self] else { return false }
        noteClock(response.headers)
        guard isRefused else {
            if !stamped.isProven, response.status.code < 400 {
                state.withLock { [login = pass.call.login] in $0.policy.succeeded(with: stamped.id, login: login) }
            }
            return false
        }
        guard request.body.isReplayable else {
            state.withLock { $0.policy.note(refusalOf: stamped.id) }
            return false
        }
        let (refusal, wait) = state.withLock { [now = time.moment] state in
            let refusal = state.policy.refused(&pass.call, with: stamped.id, now: now)
            guard case .wait = refusal, !state.isClosed else { return (refusal, AuthWait?.none) }
            return (refusal, state.join(for: context, isReplay: true))
        }
        switch refusal {
        case .replay:
            context.drop(response, to: request)
            return true
        case .deliver: return false
        case .wait(let work):
            context.drop(response, to: request)
            if let work { start(work, for: context) }
            pass.place = try await wait?.value(for: context)
            return true
        case .end(let ending): throw error(of: ending).with(response: response.snapshot(options: context.documentOptions))
        }
    }

    func leave(_ pass: AuthPass) {
        guard pass.call.goesAlone else { return }
        let waiting = state.withLock { $0.policy.leave(pass.call) ? $0.takeWaiting() : [] }
        AuthWait.wake(waiting)
    }

    func preview(_ request: inout Request) {
        guard let token = state.withLock({ $0.policy.held?.token }) else { return }
        // If it cannot be sent, a real call reports that.
        try? authenticator.authorize(&request, with: token)
    }

    // MARK: Logins

    func account(for context: CallContext) async throws -> String? {
        do { return try await account(of: context) } catch let failure as TarmacError where failure.code == .refreshFailed && hasClientCredentials {
            // The app is known without a token, and so are its stored responses.
            guard binds(context, to: state.withLock { $0.policy.login }) else { throw error(of: .superseded) }
            return Self.ownAccount
        }
    }

    private func account(of context: CallContext) async throws -> String? {
        var call = AuthPolicy.CallState(login: context.login.map(ofThisSession))
        while true {
            let (admission, wait, token, login) = try state.withLock { [now = time.moment] state throws(TarmacError) in
                if state.isClosed { throw TarmacError.clientShutDown }
                let admission = state.policy.identify(&call, now: now)
                let wait: AuthWait? = if case .wait = admission { state.join(for: context, isReplay: false) } else { nil }
                return (admission, wait, state.policy.held?.token, state.policy.login)
            }
            switch admission {
            case .go:
                if !binds(context, to: login) { throw error(of: .superseded) }
                return token.map { $0.account ?? "" }
            case .wait(let work):
                if let work { start(work, for: context) }
                _ = try await wait?.value(for: context)
            case .end(let ending): throw error(of: ending)
            }
        }
    }

    func logIn(_ token: AccessToken) async throws(TarmacError) {
        var token = token
        // An account of its own, which stays the same after a restart.
        if token.account?.isEmpty != false { token.account = AccessToken.newAccount() }
        let facts = facts(of: token)
        let writing = try replaceLogin {
            let last = $0.held?.token
            $0.logIn(token, outlook: facts.outlook, lifetime: facts.lifetime, now: facts.now)
            return storeQueue.startLogIn(current, ending: last)
        }
        do { try await storeQueue.end(of: writing) } catch {
            noteUnwritten()
            throw error
        }
    }

    func logOut() async throws(TarmacError) {
        let (removal, wasLoggedIn) = try replaceLogin {
            let last = $0.held?.token
            $0.logOut()
            return (storeQueue.startLogOut(of: last, unless: current), last != nil)
        }
        // Without a login there is no end of one: a handler that logs out itself would be called for ever.
        var isEnd = wasLoggedIn
        defer { if isEnd { authenticator.didLogOut(key, .requested) } }
        do { if try await storeQueue.end(ofLogOut: removal) { isEnd = true } } catch {
            noteUnwritten()
            throw error
        }
    }

    /// Replaces the login. The calls of the previous login, and a refresh for it, end.
    ///
    /// - Parameter change: also gives the change of the store its place, before any call can see the new state and read the old entry.
    private func replaceLogin<Value>(_ change: (inout AuthPolicy) -> Value) throws(TarmacError) -> Value {
        let (value, waiting, task) = try state.withLock { state throws(TarmacError) in
            if state.isClosed { throw TarmacError.clientShutDown }
            return (change(&state.policy), state.takeWaiting(), state.task)
        }
        hasEnded.withLock { $0 = true }
        task?.cancel()
        // The calls ask again, and see the change.
        AuthWait.wake(waiting)
        return value
    }

    /// Returns the token that the store must contain at the time of the call.
    var current: @Sendable () -> AccessToken? {
        { [self] in state.withLock { $0.policy.held?.token } }
    }

    func accountNow(for context: CallContext) -> String? {
        let (account, login) = state.withLock { ($0.policy.held.map { $0.token.account ?? "" }, $0.policy.login) }
        return account.flatMap { binds(context, to: login) ? $0 : nil }
    }

    func knownAccount(for context: CallContext) -> String? {
        let (account, load) = state.withLock { state in
            (state.policy.held.map { $0.token.account ?? "" }, state.isClosed ? nil : state.policy.loadIfNeeded())
        }
        if case .wait(let work?) = load { start(work, for: context) }
        return account
    }

    var isLoggedIn: Bool { state.withLock { $0.policy.held != nil } }

    /// Whether the store has the same token, or none is needed.
    var isForgettable: Bool { storeQueue.isCurrent && (storeQueue.isDurable || !isLoggedIn) }

    // MARK: End

    /// The time that a shutdown waits for the work of a session, whose store may hang.
    static let storeLimit = Duration.seconds(2)
    /// The time that it waits for the answer to a refresh.
    static let refreshLimit = Duration.seconds(30)

    func close() async {
        let (waiting, task, ending, membership, isRefreshing, isUnwritten) = state.withLock { state in
            state.isClosed = true
            return (state.takeWaiting(), state.task, state.ending, state.membership, state.policy.isRefreshing, state.isUnwritten || state.writing != nil)
        }
        if !isRefreshing { task?.cancel() }
        for wait in waiting { wait.settle(.failure(TarmacError.clientShutDown)) }
        if task == nil, ending == nil, !isUnwritten { return }
        // The answer to a refresh is the only copy of the next refresh token.
        let limit = isRefreshing ? min(authenticator.refreshRule.timeout, Self.refreshLimit) : Self.storeLimit
        await time.wait(atMost: limit) { [self] in
            await task?.value
            await ending?.value
            await state.withLock({ $0.writing })?.value
            if state.withLock({ $0.isUnwritten }) { try? await storeQueue.writeAgain(current) }
        }
        task?.cancel()
        membership?.leave()
    }

    private func error(of ending: AuthPolicy.Ending) -> TarmacError {
        switch ending {
        case .loggedOut: Self.loggedOut(key)
        case .resting: state.withLock { $0.failure } ?? refreshFailed(CancellationError())
        case .superseded:
            TarmacError(
                .loggedOut, phase: .authenticating, "the login of \(key) under which the call was made has ended",
                suggestion: "make the call again, for who is logged in now")
        }
    }

    static func loggedOut(_ key: TokenKey, cause: TarmacError? = nil) -> TarmacError {
        TarmacError(.loggedOut, phase: .authenticating, "nobody is logged in to \(key)", suggestion: "log in with logIn(_:)", cause: cause)
            .with(response: cause?.response)
            .with(serverCode: cause?.serverCode, message: nil)
    }

    /// Reports the end of a login that the engine has ended, and removes its token from the store. The policy reports each
    /// end once.
    ///
    func announceLogOut(_ reason: LogOutReason, _ removal: TokenStoreQueue.Queued<Void>?, for context: CallContext) async {
        do { try await storeQueue.end(of: removal) } catch {
            context.emit(AuthEvent.tokenStoreFailed(error))
            noteUnwritten()
        }
        context.emit(AuthEvent.loggedOut(reason))
        authenticator.didLogOut(key, reason)
        if isForgettable { context.scope.auth.release(authenticator, principal: key.principal) }
    }
}

extension CallContext {
    /// Ends the body of a response that another one replaces, so that it holds no slot in the meantime.
    func drop(_ response: Response, to request: Request) {
        if case .stream = response.body { endStream(of: request) }
    }
}

extension TokenSession.State {
    mutating func join(for context: CallContext, isReplay: Bool) -> AuthWait {
        if waiting.count >= clearAt {
            waiting.removeAll(where: \.isSettled)
            clearAt = max(64, 2 * waiting.count)
        }
        let wait = AuthWait(late: context.deadlineExceeded(.authenticating), dispatcher: isReplay ? context.dispatcher : nil)
        waiting.append(wait)
        return wait
    }

    /// Returns all waiting calls, in the order of arrival.
    mutating func takeWaiting() -> [AuthWait] {
        defer { waiting = [] }
        return waiting
    }
}
