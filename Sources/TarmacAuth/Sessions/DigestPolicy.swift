import TarmacCore

/// Which challenge is answered, and when a refused answer is given again (pure).
///
/// A protection space is an origin and a realm (RFC 9110 §11.5): that one realm refuses what another asked for tells nothing of
/// the credentials.
struct DigestPolicy {
    /// What one realm of an origin asked for.
    struct Space: Sendable {
        let id: Int
        /// Tells the realm from others, whatever its nonce is by now.
        let realm: Int
        var challenge: DigestChallenge
        /// The client's own nonce: one for each nonce.
        let clientNonce: String
        var count: UInt32 = 0
    }

    /// Of each origin the realms, the one that was last asked for last.
    private var spaces: [WebOrigin: [Space]] = [:]
    private var lastID = 0
    /// How often one request is answered for at most.
    private static let limit = 3
    /// How many realms of one origin are known.
    private static let realms = 8

    /// The challenge to answer at once, counted.
    ///
    /// - Parameter realm: the one the request was challenged for, 0 for none.
    mutating func next(_ url: HTTPURL, realm: Int) -> Space? {
        guard let index = index(url, realm) else { return nil }
        spaces[url.origin]?[index].count += 1
        return spaces[url.origin]?[index]
    }

    /// That of its own realm, else the one whose `domain` names most of the URL, else the latest: a realm that names no
    /// `domain` may be all of its server (RFC 7616 §3.3).
    private func index(_ url: HTTPURL, _ realm: Int) -> Int? {
        guard let known = spaces[url.origin] else { return nil }
        return known.firstIndex { $0.realm == realm } ?? known.indices.reversed().max { known[$0].challenge.reach(url) < known[$1].challenge.reach(url) }
    }

    /// The realm a refused request is sent again for; `nil` when its refusal stands.
    ///
    /// - Parameters:
    ///   - id: the challenge it answered, 0 for none.
    ///   - realm: as for ``next(_:realm:)``.
    ///   - answers: how often it was sent again before.
    mutating func refused(
        _ challenge: DigestChallenge?, answering id: Int, _ url: HTTPURL, realm: Int, answers: Int, clientNonce: String
    ) -> Int? {
        guard answers < Self.limit else { return nil }
        var known = spaces[url.origin] ?? []
        guard let challenge else {
            // Somebody else was challenged meanwhile.
            return index(url, realm).map { known[$0] }.flatMap { $0.id == id ? nil : $0.realm }
        }
        defer { spaces[url.origin] = known.isEmpty ? nil : known }
        let old = known.firstIndex { $0.challenge.realm == challenge.realm }.map { known.remove(at: $0) }
        if let old, old.id != id {
            // The request answered another realm, or somebody else was challenged meanwhile.
            known.append(old)
            return old.realm
        }
        // The same answer would be refused again, unless only its nonce was too old (§3.3).
        if old != nil, !challenge.isStale { return nil }
        lastID += 1
        let space = Space(id: lastID, realm: old?.realm ?? lastID, challenge: challenge, clientNonce: clientNonce)
        known.append(space)
        if known.count > Self.realms { known.removeFirst() }
        return space.realm
    }

    /// The server names the nonce to go on with (§3.5); the session stays the one that its first nonce began.
    mutating func renewed(_ nonce: String, answering id: Int, origin: WebOrigin, clientNonce: String) {
        guard let index = spaces[origin]?.firstIndex(where: { $0.id == id }), let current = spaces[origin]?[index],
            current.challenge.nonce != nonce
        else { return }
        lastID += 1
        var challenge = current.challenge
        if challenge.isSession, challenge.sessionSeed == nil { challenge.sessionSeed = challenge.seed(current.clientNonce) }
        challenge.nonce = nonce
        spaces[origin]?[index] = Space(id: lastID, realm: current.realm, challenge: challenge, clientNonce: clientNonce)
    }
}
