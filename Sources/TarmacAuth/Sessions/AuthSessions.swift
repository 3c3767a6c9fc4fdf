@_spi(TarmacRooms) import TarmacCore

/// The sessions of a client. They outlive changes of the environment, so that no token is refreshed twice.
final class AuthSessions: ClientState {
    struct Key: Hashable {
        let token: TokenKey
        /// The name of the authenticator.
        let name: ExactText
    }
    private struct State {
        var tokens = RecencyTable<Key, TokenSession>()
        var digests = RecencyTable<Key, DigestSession>()
        /// The sessions whose login has ended while calls used them.
        var leaving = RecencyTable<Key, Key>()
        /// The largest limit of the authenticators.
        var limit = 0
        var isClosed = false

        /// Removes the sessions that were unused for longest, and returns them. A session with a token that no store keeps
        /// stays.
        mutating func trim() -> [any AuthSession] {
            removeLeaving() + tokens.trim(to: max(limit, 1)) { AuthSessions.isIdle(&$0) } + digests.trim(to: 1_000) { AuthSessions.isIdle(&$0) }
        }

        /// Removes the sessions without a login that calls use no more, and returns them. It looks at two of the others.
        mutating func removeLeaving() -> [any AuthSession] {
            var removed: [any AuthSession] = []
            var tokens = RecencyTable<Key, TokenSession>()
            swap(&tokens, &self.tokens)
            defer { swap(&tokens, &self.tokens) }
            leaving.trim(to: 0, chances: 2) { key in
                var isInUse = false
                let session = tokens.remove(key) { session in
                    isInUse = !session.isLoggedIn && !AuthSessions.isIdle(&session)
                    return !session.isLoggedIn && !isInUse
                }
                if let session { removed.append(session) }
                return !isInUse
            }
            return removed
        }
    }

    private let state = Locked(State())
    private let time: any TimeSource
    private let deadlines: DeadlineHeap
    /// Whether a login has ended. The session of the next may be another.
    private let hasEnded = Locked(false)

    init(_ client: ClientScope) {
        time = client.time
        deadlines = client.deadlines
    }

    /// Returns the session of a key, and creates it if it is new.
    func session(_ kind: Authentication.Kind, _ key: Key) throws(TarmacError) -> any AuthSession {
        let (session, _) = try state.withLock { state throws(TarmacError) -> (any AuthSession, removed: [any AuthSession]) in
            if state.isClosed { throw TarmacError.clientShutDown }
            switch kind {
            case .tokens(let authenticator, let store):
                if let session = state.tokens.use(key, { $0 }) { return (session, []) }
                let session = TokenSession(authenticator, store, key: key.token, time: time, deadlines: deadlines, hasEnded: hasEnded)
                state.tokens.insert(session, for: key)
                state.limit = max(state.limit, authenticator.maximumSessions)
                return (session, state.trim())
            case .digest(let credentials):
                if let session = state.digests.use(key, { $0 }) { return (session, []) }
                let session = DigestSession(credentials)
                state.digests.insert(session, for: key)
                return (session, state.trim())
            // The chain has no AUTH stage for them.
            case .off, .fixed: throw TarmacError(.unsupported, phase: .authenticating, "the authenticator \(key.name) keeps nothing")
            }
        }
        return session
    }

    /// Releases the session of a login that has ended, or later if calls use it now.
    func release(_ key: Key) {
        state.withLock { state in
            if state.leaving.use(key, { _ in }) == nil { state.leaving.insert(key, for: key) }
            return state.removeLeaving()
        }
    }

    var count: Int { state.withLock { $0.tokens.count + $0.digests.count } }

    func close() async {
        let (sessions, _) = state.withLock { state in
            state.isClosed = true
            defer { (state.tokens, state.digests, state.leaving) = (RecencyTable(), RecencyTable(), RecencyTable()) }
            return (state.tokens.values, state.digests.values)
        }
        await withTaskGroup { group in for session in sessions { group.addTask { await session.close() } } }
    }

    /// Whether a session can be released: nothing else refers to it, and it can be created again without loss.
    /// Sessions are handed out under the lock of the tables, so a unique reference stays unique.
    private static func isIdle<Session: AuthSession>(_ session: inout Session) -> Bool {
        isKnownUniquelyReferenced(&session) && session.isForgettable
    }
}
