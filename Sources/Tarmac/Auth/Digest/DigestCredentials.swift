/// User and password, and what hashes them.
struct DigestCredentials: Sendable {
    let user: String
    let password: String
    /// `nil` for a function that is not there.
    let hash: @Sendable (DigestHash, [UInt8]) -> [UInt8]?

    /// Why they cannot be used.
    var fault: String? {
        let isPlain = (user + password).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        if !isPlain { return "its user name or password holds a control character" }
        return DigestHash.allCases.contains { hash($0, []) != nil } ? nil : "it has no hash function"
    }

    /// The first challenge that can be answered, as RFC 7616 §3.7 wants it.
    func answerable(_ challenges: [AuthChallenge]) -> DigestChallenge? {
        challenges.lazy.compactMap { DigestChallenge($0) }.first { hash($0.hash, []) != nil }
    }

    /// The value of the Authorization field (RFC 7616 §3.4); `nil` when the hash is missing.
    ///
    /// - Parameters:
    ///   - target: path and query as they go into the request line.
    ///   - count: which request with this nonce it is, from 1.
    func answer(to challenge: DigestChallenge, method: String, target: String, count: UInt32, clientNonce: String) -> String? {
        guard let secret = secret(challenge, clientNonce), let request = hex("\(method):\(target)", challenge) else { return nil }
        let hexCount = String(count, radix: 16)
        let paddedCount = String(repeating: "0", count: 8 - hexCount.count) + hexCount
        let middle = challenge.hasQuality ? "\(challenge.nonce):\(paddedCount):\(clientNonce):auth" : challenge.nonce
        guard let response = hex("\(secret):\(middle):\(request)", challenge), let name = userField(challenge) else { return nil }
        var fields = [name, "realm=\(Self.quoted(challenge.realm))", "nonce=\(Self.quoted(challenge.nonce))", "uri=\(Self.quoted(target))"]
        fields.append("response=\"\(response)\"")
        if let algorithm = challenge.algorithm { fields.append("algorithm=\(algorithm)") }
        if challenge.hasQuality { fields += ["qop=auth", "nc=\(paddedCount)"] }
        if challenge.hasQuality || challenge.isSession { fields.append("cnonce=\"\(clientNonce)\"") }
        if let opaque = challenge.opaque { fields.append("opaque=\(Self.quoted(opaque))") }
        if challenge.hashesUser { fields.append("userhash=true") }
        return "Digest " + fields.joined(separator: ", ")
    }

    /// A1, hashed (§3.4.2).
    private func secret(_ challenge: DigestChallenge, _ clientNonce: String) -> String? {
        guard let plain = hex("\(user):\(challenge.realm):\(password)", challenge) else { return nil }
        return challenge.isSession ? hex("\(plain):\(challenge.nonce):\(clientNonce)", challenge) : plain
    }

    /// §3.4.4, and §3.4 for names outside ASCII.
    private func userField(_ challenge: DigestChallenge) -> String? {
        if challenge.hashesUser { return hex("\(user):\(challenge.realm)", challenge).map { "username=\"\($0)\"" } }
        if user.utf8.allSatisfy({ $0 < 0x80 }) || !challenge.isUTF8 { return "username=\(Self.quoted(user))" }
        var encoded: [UInt8] = []
        for byte in user.utf8 {
            if PercentEncoding.isUnreserved(byte) { encoded.append(byte) } else { PercentEncoding.append(byte, to: &encoded) }
        }
        return "username*=UTF-8''\(String(decoding: encoded, as: UTF8.self))"
    }

    private func hex(_ text: String, _ challenge: DigestChallenge) -> String? {
        hash(challenge.hash, Array(text.utf8)).map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "\""
    }
}

extension DigestCredentials: CustomStringConvertible, CustomReflectable {
    var description: String { "Digest" }
    var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Authentication {
    /// Digest (RFC 7616): MD5, SHA-256 and SHA-512-256, each also as `-sess`, with quality `auth`.
    ///
    /// The first call is answered 401 with a challenge and sent again; those after it carry an answer to the same
    /// challenge at once, counted, until the server says that it is stale.
    ///
    /// - Parameter hash: hashes bytes; `nil` for a function it does not have, whose challenges are passed over.
    public static func digest(
        user: String, password: String, hash: @escaping @Sendable (_ function: DigestHash, _ bytes: [UInt8]) -> [UInt8]?
    ) -> Authentication {
        Authentication(.digest(DigestCredentials(user: user, password: password, hash: hash)))
    }
}
