/// Which challenge is answered, and when a refused answer is given again (pure).
struct DigestPolicy {
    /// What one origin asked for.
    struct Space: Sendable {
        let id: Int
        var challenge: DigestChallenge
        /// The client's own nonce: one for each nonce.
        let clientNonce: String
        var count: UInt32 = 0
    }

    private var spaces: [WebOrigin: Space] = [:]
    private var lastID = 0
    /// How often one request is answered for at most.
    private static let limit = 3

    /// The challenge to answer at once, counted.
    mutating func next(_ origin: WebOrigin) -> Space? {
        guard spaces[origin] != nil else { return nil }
        spaces[origin]?.count += 1
        return spaces[origin]
    }

    /// Whether a request refused is sent again.
    ///
    /// - Parameters:
    ///   - id: the challenge it answered, 0 for none.
    ///   - answers: how often it was sent again before.
    mutating func refused(_ challenge: DigestChallenge?, answering id: Int, origin: WebOrigin, answers: Int, clientNonce: String) -> Bool {
        guard answers < Self.limit else { return false }
        let current = spaces[origin]
        // Somebody else was challenged meanwhile.
        if let current, current.id != id { return true }
        guard let challenge else { return false }
        // The same answer would be refused again, unless only its nonce was too old (§3.3).
        if current != nil, !challenge.isStale {
            spaces[origin] = nil
            return false
        }
        lastID += 1
        spaces[origin] = Space(id: lastID, challenge: challenge, clientNonce: clientNonce)
        return true
    }

    /// The server names the nonce to go on with (§3.5); the session stays the one that its first nonce began.
    mutating func renewed(_ nonce: String, answering id: Int, origin: WebOrigin, clientNonce: String) {
        guard let current = spaces[origin], current.id == id, current.challenge.nonce != nonce else { return }
        lastID += 1
        var challenge = current.challenge
        if challenge.isSession, challenge.sessionSeed == nil { challenge.sessionSeed = challenge.seed(current.clientNonce) }
        challenge.nonce = nonce
        spaces[origin] = Space(id: lastID, challenge: challenge, clientNonce: clientNonce)
    }
}
