/// The parts of messages that are secret.
extension KnownSecrets {
    /// Adds the value of a secret header field: as a whole, what follows its scheme, as in `Bearer …`, the password of `Basic`, and the
    /// values of its pairs, as in Cookie.
    package mutating func insert(header value: String) {
        insert(value)
        let parts = value.split(separator: " ", omittingEmptySubsequences: true)
        for part in parts.dropFirst() { insert(String(part)) }
        if parts.count == 2, parts[0].lowercased() == "basic", let pair = Base64.decoded(parts[1]) { insert(basic: pair) }
        for pair in value.split(whereSeparator: { $0 == ";" || $0 == "," }) {
            guard let equals = pair.firstIndex(of: "="), !Self.isOpen(pair[..<equals]) else { continue }
            insert(String(pair[pair.index(after: equals)...].filter { $0 != "\"" }))
        }
    }

    /// Adds a user and the password, as `Basic` joins them.
    private mutating func insert(basic pair: String) {
        insert(pair)
        if let colon = pair.firstIndex(of: ":") { insert(String(pair[pair.index(after: colon)...])) }
    }

    /// Whether a parameter of credentials says nothing that an address or a challenge does not say (RFC 7616, Signature Version 4).
    private static func isOpen(_ name: Substring) -> Bool {
        open.contains(name.split(separator: " ").last?.lowercased() ?? "")
    }

    private static let open: Set<String> = [
        "realm", "uri", "algorithm", "qop", "nc", "username", "charset", "userhash", "signedheaders", "path", "domain", "expires", "samesite",
        "max-age",
    ]

    /// Adds the secret values of a query or form, as they are written and decoded.
    package mutating func insert(form text: String, _ names: SecretNames) {
        let mask = FormMask(names)
        for pair in text.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, mask.rule(in: String(pair)) != nil else { continue }
            insert(String(halves[1]))
            insert(halves[1].formDecoded)
        }
    }

    /// Adds the parts of a path that its text for display does not show.
    package mutating func insert(path: String, shownAs shown: String) {
        let kept = Set(shown.split(separator: "/"))
        for part in path.split(separator: "/") where !kept.contains(part) {
            insert(String(part))
            insert(part.formDecoded)
        }
    }
}
