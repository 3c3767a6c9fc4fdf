import TarmacCore

/// A hash function of Digest authentication (RFC 7616 §3.3).
public enum DigestHash: String, Sendable, CaseIterable {
    case sha256 = "SHA-256"
    case sha512_256 = "SHA-512-256"
    /// MD5, which is broken as a hash. Many devices offer nothing else.
    case md5 = "MD5"

    /// The rank of the function among several that are offered.
    var strength: Int { self == .md5 ? 0 : 1 }
}

/// The parameters of a Digest challenge (RFC 7616 §3.3).
struct DigestChallenge: Sendable, Equatable {
    let realm: String
    var nonce: String
    let opaque: String?
    let hash: DigestHash
    /// The algorithm as the server wrote it. `nil` if it named none, which means MD5.
    let algorithm: String?
    /// Whether the secret includes the first nonce: `-sess`.
    let isSession: Bool
    /// The quality of protection. `nil` for the older form of RFC 2069.
    let quality: Quality?
    let isStale: Bool
    let hashesUser: Bool
    let isUTF8: Bool
    /// The paths and URLs of the realm, if the server names them (§3.3).
    let domain: [String]
    /// The first nonce and the client's nonce for it. `-sess` keeps them in the secret after the server has named
    /// another nonce. `nil` while the first one is in use (§3.4.2).
    var sessionSeed: String?

    /// The quality of protection.
    enum Quality: String, Sendable, CaseIterable {
        /// Protects the method and the target. Preferred if there is a choice.
        case auth
        /// Protects the body too.
        case authInt = "auth-int"
    }

    /// Creates the challenge, or returns `nil` for another scheme, an unknown algorithm, a missing field, or no known
    /// quality.
    init?(_ challenge: AuthChallenge) {
        guard challenge.scheme == "digest", let realm = challenge.parameters["realm"], let nonce = challenge.parameters["nonce"] else { return nil }
        let named = challenge.parameters["algorithm"]
        let upper = (named ?? "MD5").uppercased()
        isSession = upper.hasSuffix("-SESS")
        guard let hash = DigestHash(rawValue: isSession ? String(upper.dropLast(5)) : upper) else { return nil }
        let offered = challenge.parameters["qop"].map { $0.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }.map(String.init) }
        quality = offered.flatMap { offered in Quality.allCases.first { offered.contains($0.rawValue) } }
        guard offered == nil || quality != nil else { return nil }
        self.realm = realm
        self.nonce = nonce
        self.hash = hash
        algorithm = named
        opaque = challenge.parameters["opaque"]
        isStale = challenge.parameters["stale"]?.lowercased() == "true"
        hashesUser = challenge.parameters["userhash"]?.lowercased() == "true"
        domain = (challenge.parameters["domain"] ?? "").split(separator: " ").map(String.init)
        isUTF8 = challenge.parameters["charset"]?.uppercased() == "UTF-8"
    }

    /// Returns the number of bytes of a URL that `domain` covers on its server. 0 for none.
    func reach(_ url: HTTPURL) -> Int {
        domain.map { name in
            let path = name.hasPrefix("/") ? name : (try? HTTPURL(name)).flatMap { $0.origin == url.origin ? $0.path : nil }
            return path.map { url.path.utf8.starts(with: $0.utf8) ? $0.utf8.count : 0 } ?? 0
        }.max() ?? 0
    }

    /// Returns the text that `-sess` adds to the secret if this is the first nonce.
    func seed(_ clientNonce: String) -> String { "\(nonce):\(clientNonce)" }
}
