/// The parts of messages that are secret.
extension KnownSecrets {
    /// Adds the value of a secret header field: as a whole, what follows its scheme, as in `Bearer …`, and the values of its pairs,
    /// as in Cookie.
    package mutating func insert(header value: String) {
        insert(value)
        for part in value.split(separator: " ").dropFirst() { insert(String(part)) }
        for pair in value.split(whereSeparator: { $0 == ";" || $0 == "," }) {
            guard let equals = pair.firstIndex(of: "=") else { continue }
            insert(String(pair[pair.index(after: equals)...].filter { $0 != "\"" }))
        }
    }

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
