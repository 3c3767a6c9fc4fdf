import TarmacCore

/// A hash function of Digest authentication (RFC 7616 §3.3).
public enum DigestHash: String, Sendable, CaseIterable {
    case sha256 = "SHA-256"
    case sha512_256 = "SHA-512-256"
    /// MD5, which is broken as a hash. Many devices offer nothing else.
    case md5 = "MD5"

    /// The rank by which one of several offered functions is chosen.
    var strength: Int { self == .md5 ? 0 : 1 }
}

/// What a server asks of a Digest answer (RFC 7616 §3.3).
struct DigestChallenge: Sendable, Equatable {
    let realm: String
    var nonce: String
    let opaque: String?
    let hash: DigestHash
    /// The algorithm as the server wrote it; `nil` when it named none, which means MD5.
    let algorithm: String?
    /// Whether the secret is mixed with the first nonce: `-sess`.
    let isSession: Bool
    /// What answers vouch for, and that they are counted; `nil` for the older form of RFC 2069.
    let quality: Quality?
    let isStale: Bool
    let hashesUser: Bool
    let isUTF8: Bool
    /// The paths and URLs below which the realm lies, as far as the server names them (§3.3).
    let domain: [String]
    /// The first nonce and the client's own to it, which `-sess` keeps in the secret when the server names another nonce to go
    /// on with; `nil` while it is the first (§3.4.2).
    var sessionSeed: String?

    /// "Quality of protection".
    enum Quality: String, Sendable, CaseIterable {
        /// The method and the target; taken where there is a choice.
        case auth
        /// The body too.
        case authInt = "auth-int"
    }

    /// `nil` for another scheme, an unknown algorithm, a missing field, or no quality that is known.
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

    /// How many bytes of a URL on its server `domain` names; 0 for none.
    func reach(_ url: HTTPURL) -> Int {
        domain.map { name in
            let path = name.hasPrefix("/") ? name : (try? HTTPURL(name)).flatMap { $0.origin == url.origin ? $0.path : nil }
            return path.map { url.path.utf8.starts(with: $0.utf8) ? $0.utf8.count : 0 } ?? 0
        }.max() ?? 0
    }

    /// What `-sess` mixes into the secret when this is the first nonce.
    func seed(_ clientNonce: String) -> String { "\(nonce):\(clientNonce)" }
}
