@_spi(TarmacRooms) import TarmacCore

/// The sessions of a client. They outlive changes of the environment, so that no token is refreshed twice.
final class AuthSessions: ClientState {
    struct Key: Hashable {
        let token: TokenKey
        /// The name of the authenticator.
        let name: String
    }
    private struct State {
        var tokens: [Key: TokenSession] = [:]
        var digests: [Key: DigestSession] = [:]
        var clearAt = 1024
        var isClosed = false

        /// Releases unused sessions once there are many, because a server may make calls for any number of users.
        mutating func clearIfMany() {
            guard tokens.count + digests.count >= clearAt else { return }
            tokens.forgetUnused()
            digests.forgetUnused()
            clearAt = max(1024, 2 * (tokens.count + digests.count))
        }
    }

    private let state = Locked(State())
    private let time: any TimeSource
    private let deadlines: DeadlineHeap

    init(_ client: ClientScope) {
        time = client.time
        deadlines = client.deadlines
    }

    /// Returns the session of a key, and creates it if it is new.
    func session(_ kind: Authentication.Kind, _ key: Key) throws(TarmacError) -> any AuthSession {
        try state.withLock { state throws(TarmacError) in
            if state.isClosed { throw TarmacError.clientShutDown }
            state.clearIfMany()
            switch kind {
            case .tokens(let authenticator):
                if let session = state.tokens[key] { return session }
                let session = TokenSession(authenticator, key: key.token, time: time, deadlines: deadlines)
                state.tokens[key] = session
                return session
            case .digest(let credentials):
                if let session = state.digests[key] { return session }
                let session = DigestSession(credentials)
                state.digests[key] = session
                return session
            // The chain has no AUTH stage for them.
            case .off, .fixed: throw TarmacError(.unsupported, phase: .authenticating, "the authenticator \(key.name) keeps nothing")
            }
        }
    }

    var count: Int { state.withLock { $0.tokens.count + $0.digests.count } }

    func close() async {
        let sessions = state.withLock { state in
            state.isClosed = true
            defer { (state.tokens, state.digests) = ([:], [:]) }
            return Array(state.tokens.values)
        }
        for session in sessions { await session.close() }
    }
}

extension Dictionary where Value: AuthSession {
    /// Releases the unused sessions. Sessions are handed out under the same lock, so a unique reference stays unique.
    fileprivate mutating func forgetUnused() {
        for key in Array(keys) {
            guard var session = removeValue(forKey: key) else { continue }
            if !isKnownUniquelyReferenced(&session) || !session.isForgettable { self[key] = session }
        }
    }
}
