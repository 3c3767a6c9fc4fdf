@_spi(TarmacRooms) import TarmacCore
import TarmacHTTP
import TarmacSupport

/// The result of a refresh.
enum Gain {
    /// The authenticator returned a token.
    case new(AccessToken)
    /// Another process has refreshed the token.
    case found(AccessToken)
    /// Another process has logged in with another account.
    case otherLogin(AccessToken)
    /// Another process has logged out.
    case removed
}

/// The entry of the store that other processes may change.
extension TokenSession {
    /// Reads the store again. If the token there is newer but has expired, `token` becomes that one.
    func look(_ token: inout AccessToken?, _ context: CallContext) async -> Gain? { (try? await lookOrFail(&token, context)) ?? nil }

    private func lookOrFail(_ token: inout AccessToken?, _ context: CallContext) async throws(TarmacError) -> Gain? {
        do {
            let entry = try await storeQueue.look()
            if storeQueue.tellsLoss() { context.emit(.warning(Self.lossWarning(key))) }
            return gain(from: entry, &token)
        } catch {
            context.emit(AuthEvent.tokenStoreFailed(error))
            throw error
        }
    }

    private static func lossWarning(_ key: TokenKey) -> String {
        """
        the token store of \(key) loses the account of its tokens: after a restart they are of another account, and so is a token that \
        another process has refreshed; keep the whole AccessToken, which is Codable
        """
    }

    /// Reads the store again after a refusal.
    ///
    /// - Parameter isContested: whether another process may have used the refresh token, and not have saved the new one yet.
    ///   The store is then read several times.
    /// - Throws: the error of a store that does not answer: another process may have the newer token there. The third refusal in a row is
    ///   believed all the same.
    func lookAfterRefusal(_ token: inout AccessToken?, _ context: CallContext, _ isContested: Bool) async throws -> Gain? {
        let asked = token
        // Another process that was refused has waited as long.
        let isContested = if isContested, asked != nil { await !storeQueue.isRefusedElsewhere() } else { false }
        var pauses = isContested ? authenticator.refreshRule.pausesAfterRefusal[...] : []
        while true {
            var failure: TarmacError?
            do { if let gain = try await lookOrFail(&token, context) { return gain } } catch { failure = error }
            if let asked, let token, !token.isSame(as: asked) { return nil }
            guard let pause = pauses.popFirst() else {
                // A damaged entry is gone, and with it what another process has saved.
                guard let failure, failure.cause(as: UnusableContent.self) == nil, doubts() else { return nil }
                throw TarmacError(.tokenStoreFailed, phase: .authenticating, failure.reason, cause: failure)
            }
            try await time.sleep(until: time.moment + pause)
        }
    }

    /// Whether a refusal is doubted because the store does not answer: twice in a row.
    private func doubts() -> Bool {
        state.withLock { state in
            state.doubts += 1
            return state.doubts < 3
        }
    }

    private func gain(from entry: StoredEntry, _ token: inout AccessToken?) -> Gain? {
        switch entry {
        case .unchanged: return nil
        case .removed: return token == nil ? nil : .removed
        case .foreign(let found):
            let newer = identified(found)
            if let token, !newer.account.isExactly(token.account) { return .otherLogin(newer) }
            let isFresh = facts(of: newer).lifetime.map { $0 >= AuthPolicy.shortestLife } ?? true
            // The same token with another refresh token was refused, or has expired.
            if isFresh, !Optional(newer.value).isExactly(token?.value) || !authenticator.canRefresh(newer) { return .found(newer) }
            token = newer
            return nil
        }
    }

    /// Keeps a new token, in the store first, so that a rotated refresh token is safe before a call uses the new token.
    /// Returns whether the work was current.
    func adopt(_ gain: Gain, _ work: Int, _ context: CallContext) async -> Bool {
        switch gain {
        case .new(let token): return await store(token, work, context)
        case .found(let token): return use(token, work)
        case .otherLogin(let token): return change(to: token, work)
        case .removed:
            await end(work, Self.loggedOut(key), .logOut, reason: .requested, for: context)
            return false
        }
    }

    private func store(_ token: AccessToken, _ work: Int, _ context: CallContext) async -> Bool {
        var token = token
        let old = state.withLock { $0.policy.takesToken(of: work) ? $0.policy.held?.token : nil }
        // The account of an unnamed login stays the same, whatever the server calls it later.
        if token.account?.isEmpty != false || old.map({ !$0.hasNamedAccount && $0.account != Self.ownAccount }) == true { token.account = old?.account }
        if token.account == nil { token.account = isOfApp(token) ? Self.ownAccount : AccessToken.newAccount() }
        do {
            // Another process may have logged in or out in the meantime.
            let entry = try await storeQueue.replace(isOfUser: !isOwn(token)) { [self, token] in
                state.withLock { $0.policy.takesToken(of: work) ? token : $0.policy.held?.token }
            }
            switch entry {
            case .unchanged: break
            case .removed: return await adopt(.removed, work, context)
            case .foreign(let found):
                let other = identified(found)
                return await adopt(other.account.isExactly(token.account) ? .found(other) : .otherLogin(other), work, context)
            }
        } catch {
            context.emit(AuthEvent.tokenStoreFailed(error))
            noteUnwritten()
        }
        if let old, !old.account.isExactly(token.account) { return change(to: token, work) }
        return use(token, work)
    }

    /// Notes that the store lacks a change. It is written again after a pause, and at a shutdown. Until then another process that shares
    /// the store uses the spent refresh token.
    func noteUnwritten() {
        if storeQueue.isWritten { return }
        let pause = state.withLock { state -> Duration? in
            defer { state.isUnwritten = true }
            // A pause is under way, or `close()` writes.
            if state.isUnwritten || state.isClosed { return nil }
            defer { state.failedWrites = min(state.failedWrites + 1, 100) }
            return Self.writePause(after: state.failedWrites)
        }
        if let pause { _ = deadlines.add(AuthStoreWatch(session: self), at: time.moment + pause) }
    }

    /// For a minute it is shorter than the pauses together in which another process waits for this write, see
    /// ``RefreshRule/pausesAfterRefusal``.
    private static func writePause(after failures: Int) -> Duration {
        .milliseconds(500).doubled(failures, atMost: failures < 30 ? .seconds(2) : .seconds(30))
    }

    /// Writes a change again that the store lacks.
    func writeAgain() {
        state.withLock { state in
            guard state.isUnwritten, !state.isClosed else { return }
            state.isUnwritten = false
            // LIFETIME: ends with the store's operation. `close()` waits for it.
            state.writing = Task {
                do throws(TarmacError) {
                    try await storeQueue.writeAgain(current)
                    self.state.withLock { $0.failedWrites = 0 }
                } catch {}
                noteUnwritten()
                self.state.withLock { $0.writing = nil }
            }
        }
    }

    private func use(_ token: AccessToken, _ work: Int) -> Bool {
        let facts = facts(of: token)
        return wake { $0.refreshed(token, outlook: facts.outlook, lifetime: facts.lifetime, work: work, now: facts.now) }
    }

    /// The calls of the previous login end.
    private func change(to token: AccessToken, _ work: Int) -> Bool {
        let facts = facts(of: token)
        return wake { policy in
            guard policy.takesToken(of: work) else { return false }
            policy.logIn(token, outlook: facts.outlook, lifetime: facts.lifetime, now: facts.now)
            return true
        }
    }

    /// Resumes the waiting calls after a change of the token, if there is one.
    private func wake(after change: (inout AuthPolicy) -> Bool) -> Bool {
        let (isChanged, waiting, trialEnd, _) = state.withLock { state in
            let isChanged = change(&state.policy)
            defer { if isChanged { (state.failure, state.doubts) = (nil, 0) } }
            return (isChanged, isChanged ? state.takeWaiting() : [], isChanged ? state.policy.trialEnd : nil, state.failure)
        }
        if let trialEnd { _ = deadlines.add(AuthTrialWatch(session: self), at: trialEnd) }
        AuthWait.wake(waiting)
        return isChanged
    }

    /// The account of tokens without a login, such as those of client credentials.
    static var ownAccount: String { "" }
}
