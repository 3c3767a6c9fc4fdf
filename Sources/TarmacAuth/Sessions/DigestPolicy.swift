import TarmacCore

/// Decides which challenge is answered, and when a refused request is answered again (pure).
///
/// A protection space is an origin and a realm (RFC 9110 §11.5). If one realm refuses the answer for another, that says
/// nothing about the credentials.
struct DigestPolicy {
    /// The challenge of one realm of an origin.
    struct Space: Sendable {
        let id: Int
        /// The id of the realm, which stays the same when its nonce changes.
        let realm: Int
        var challenge: DigestChallenge
        /// The client's nonce, one for each server nonce.
        let clientNonce: String
        var count: UInt32 = 0
    }

    /// The realms of each origin. The one that last sent a challenge is last.
    private var spaces: [WebOrigin: [Space]] = [:]
    private var lastID = 0
    /// The maximum number of answers for one request.
    private static let limit = 3
    /// The maximum number of realms of one origin.
    private static let realms = 8

    /// Returns the challenge to answer in advance, counted.
    ///
    /// - Parameter realm: the realm that challenged the request. 0 for none.
    mutating func next(_ url: HTTPURL, realm: Int) -> Space? {
        guard let index = index(url, realm) else { return nil }
        spaces[url.origin]?[index].count += 1
        return spaces[url.origin]?[index]
    }

    /// Returns the index of the request's own realm. Otherwise, of the realm whose `domain` covers most of the URL, or
    /// of the latest: a realm without `domain` may cover its whole server (RFC 7616 §3.3).
    private func index(_ url: HTTPURL, _ realm: Int) -> Int? {
        guard let known = spaces[url.origin] else { return nil }
        return known.firstIndex { $0.realm == realm } ?? known.indices.reversed().max { known[$0].challenge.reach(url) < known[$1].challenge.reach(url) }
    }

    /// How a refused request is sent again.
    enum Repeat {
        /// With an answer for a realm, which other calls may use as well.
        case shared(realm: Int)
        /// With an answer to the challenge of its own refusal.
        case own(Space)
    }

    /// Returns how a refused request is sent again, or `nil` if the refusal is final.
    ///
    /// - Parameters:
    ///   - id: the challenge that the request answered. 0 for none.
    ///   - realm: as for ``next(_:realm:)``.
    ///   - answers: the number of earlier repeats.
    ///   - isOwn: whether the request answered a challenge of its own.
    mutating func refused(
        _ challenge: DigestChallenge?, answering id: Int, _ url: HTTPURL, realm: Int, answers: Int, isOwn: Bool, clientNonce: String
    ) -> Repeat? {
        guard answers < Self.limit else { return nil }
        var known = spaces[url.origin] ?? []
        guard let challenge else {
            // Another call was challenged in the meantime.
            return index(url, realm).map { known[$0] }.flatMap { $0.id == id ? nil : .shared(realm: $0.realm) }
        }
        defer { spaces[url.origin] = known.isEmpty ? nil : known }
        let old = known.firstIndex { $0.challenge.realm.isExactly(challenge.realm) }.map { known.remove(at: $0) }
        if isOwn || old?.id == id {
            // The same answer would be refused again, unless only its nonce is stale (§3.3). A server that has forgotten the nonce of an
            // answer in advance may not say so.
            let isForgotten = answers == 0 && !(old?.challenge.nonce).isExactly(challenge.nonce)
            guard challenge.isStale || isForgotten else {
                if isOwn, let old { known.append(old) }
                return nil
            }
        }
        if let old, challenge.isStale, answers > 0, !challenge.nonce.isExactly(old.challenge.nonce) {
            // Other calls have used the nonce up, and may use up the next one they share. So the call answers alone.
            if old.id != id { known.append(old) }
            lastID += 1
            return .own(Space(id: lastID, realm: old.realm, challenge: challenge, clientNonce: clientNonce))
        }
        if let old, old.id != id {
            // The request answered another realm, or another call was challenged in the meantime.
            known.append(old)
            return .shared(realm: old.realm)
        }
        lastID += 1
        let space = Space(id: lastID, realm: old?.realm ?? lastID, challenge: challenge, clientNonce: clientNonce)
        known.append(space)
        if known.count > Self.realms { known.removeFirst() }
        return .shared(realm: space.realm)
    }

    /// Records the nonce that the server names for the next requests (§3.5). The session remains that of its first
    /// nonce.
    mutating func renewed(_ nonce: String, answering id: Int, origin: WebOrigin, clientNonce: String) {
        guard let index = spaces[origin]?.firstIndex(where: { $0.id == id }), let current = spaces[origin]?[index],
            !current.challenge.nonce.isExactly(nonce)
        else { return }
        lastID += 1
        var challenge = current.challenge
        if challenge.isSession, challenge.sessionSeed == nil { challenge.sessionSeed = challenge.seed(current.clientNonce) }
        challenge.nonce = nonce
        spaces[origin]?[index] = Space(id: lastID, realm: current.realm, challenge: challenge, clientNonce: clientNonce)
    }
}
