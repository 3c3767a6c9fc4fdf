import TarmacCore

/// A user name and a password with their hash functions.
struct DigestCredentials: Sendable {
    let user: String
    let password: String
    /// Hashes bytes, or returns `nil` for an unknown function.
    let hash: @Sendable (DigestHash, [UInt8]) -> [UInt8]?

    /// The reason why the credentials are invalid, or `nil`.
    var fault: String? {
        let isPlain = (user + password).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        if !isPlain { return "its user name or password holds a control character" }
        return DigestHash.allCases.contains { hash($0, []) != nil } ? nil : "it has no hash function"
    }

    /// Returns the strongest challenge that can be answered (RFC 9110 §11.6.1). Of equally strong ones, the first,
    /// which the server prefers (RFC 7616 §3.7).
    ///
    /// - Parameter vouchesForBody: whether the body is known in its sent form.
    func answerable(_ challenges: [AuthChallenge], vouchesForBody: Bool) -> DigestChallenge? {
        let known = challenges.compactMap { DigestChallenge($0) }.filter { hash($0.hash, []) != nil && ($0.quality != .authInt || vouchesForBody) }
        // The first of several equally strong ones.
        return known.reduce(nil) { best, next in best.map { next.hash.strength > $0.hash.strength } ?? true ? next : best }
    }

    /// Returns the value of the Authorization field (RFC 7616 §3.4), or `nil` if the hash function is missing, or the
    /// body is missing and required.
    ///
    /// - Parameters:
    ///   - target: the path and query as in the request line.
    ///   - body: the body in its sent form, if it is known.
    ///   - count: the number of the request with this nonce, from 1.
    func answer(
        to challenge: DigestChallenge, method: String, target: String, body: Bytes? = .empty, count: UInt32, clientNonce: String
    ) -> String? {
        guard let secret = secret(challenge, clientNonce), let request = requestHash(challenge, "\(method):\(target)", body) else { return nil }
        let hexCount = String(count, radix: 16)
        let paddedCount = String(repeating: "0", count: 8 - hexCount.count) + hexCount
        let middle = challenge.quality.map { "\(challenge.nonce):\(paddedCount):\(clientNonce):\($0.rawValue)" } ?? challenge.nonce
        guard let response = hex("\(secret):\(middle):\(request)", challenge), let name = userField(challenge) else { return nil }
        var fields = [name, "realm=\(Self.quoted(challenge.realm))", "nonce=\(Self.quoted(challenge.nonce))", "uri=\(Self.quoted(target))"]
        fields.append("response=\"\(response)\"")
        if let algorithm = challenge.algorithm { fields.append("algorithm=\(algorithm)") }
        if let quality = challenge.quality { fields += ["qop=\(quality.rawValue)", "nc=\(paddedCount)"] }
        if challenge.quality != nil || challenge.isSession { fields.append("cnonce=\"\(clientNonce)\"") }
        if let opaque = challenge.opaque { fields.append("opaque=\(Self.quoted(opaque))") }
        if challenge.hashesUser { fields.append("userhash=true") }
        return "Digest " + fields.joined(separator: ", ")
    }

    /// Returns the hash of A1 (§3.4.2).
    private func secret(_ challenge: DigestChallenge, _ clientNonce: String) -> String? {
        guard let plain = hex("\(user):\(challenge.realm):\(password)", challenge) else { return nil }
        return challenge.isSession ? hex("\(plain):\(challenge.sessionSeed ?? challenge.seed(clientNonce))", challenge) : plain
    }

    /// Returns the hash of A2 (§3.4.3).
    private func requestHash(_ challenge: DigestChallenge, _ line: String, _ body: Bytes?) -> String? {
        guard challenge.quality == .authInt else { return hex(line, challenge) }
        return body.flatMap { hash(challenge.hash, $0.array) }.flatMap { hex("\(line):\(Self.hex($0))", challenge) }
    }

    /// Returns the user name field (§3.4.4), in the form of §3.4 for names outside ASCII.
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
        hash(challenge.hash, Array(text.utf8)).map(Self.hex)
    }

    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    private static func quoted(_ text: String) -> String {
        // By Unicode scalars: a quote with a combining mark is one character, and would not be escaped.
        "\"" + text.unicodeScalars.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "\""
    }
}

extension DigestCredentials: MaskedReflectable {
    var description: String { "Digest" }
}

extension Authentication {
    /// Returns an authentication by Digest (RFC 7616), with MD5, SHA-256 and SHA-512-256, each also as `-sess`.
    ///
    /// The quality of protection is `auth`. It is `auth-int` if the server offers nothing else and the body is in
    /// memory and neither compressed nor encrypted. Of several challenges, the strongest is answered.
    ///
    /// The server answers the first call with 401 and a challenge, and the call is sent again. Later calls answer the
    /// same challenge in advance, with a count, until the server says that it is stale. Each realm of an origin has its
    /// own challenge (RFC 9110 §11.5). If a challenge names no `domain` (RFC 7616 §3.3), the first call after one to
    /// another realm is answered with 401 too.
    ///
    /// The user name and the password are hashed unchanged. Outside ASCII, pass them in normal form C (RFC 7616 §4);
    /// see ``basic(user:password:)``.
    ///
    /// - Parameters:
    ///   - user: the user name.
    ///   - password: the password. Only hashes of it are sent.
    ///   - hash: hashes bytes. It returns `nil` for a function that it does not support; challenges with that function
    ///     are ignored.
    public static func digest(
        user: String, password: String, hash: @escaping @Sendable (_ function: DigestHash, _ bytes: [UInt8]) -> [UInt8]?
    ) -> Authentication {
        Authentication(.digest(DigestCredentials(user: user, password: password, hash: hash)))
    }
}
