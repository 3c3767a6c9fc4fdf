/// The names whose values are secret.
///
/// A name is cut into words at changes of case, digits and every character that is no letter: `userPassword2`,
/// `X-Amz-Security-Token` and `user[new_password]`. It is secret for a word that says so, or for words together
/// (see ``NameVocabulary``). Names of the user are compared as a whole, without case, `_` and `-`.
package struct SecretNames: Sendable, Hashable {
    /// The words alone.
    package static let standard = SecretNames(judgesWords: true)
    /// No name.
    package static let none = SecretNames(judgesWords: false)

    private var judgesWords: Bool
    private var hidden: Set<String> = []
    /// In the form in which names are compared.
    package private(set) var shown: Set<String> = []
    /// The hidden names that consist of several, as `user.name`.
    private var joined: [String] = []
    private var sieve = NameSieve()

    private init(judgesWords: Bool) { self.judgesWords = judgesWords }

    /// Returns the names with more that are hidden, whatever their words. The last word about a name counts.
    package func hiding(_ names: some Sequence<String>) -> SecretNames {
        var copy = self
        for name in names {
            let folded = NameFolding.folded(name)
            copy.shown.remove(folded)
            if copy.hidden.insert(folded).inserted, name.utf8.contains(where: NameFolding.isJoint) { copy.joined.append(folded) }
        }
        copy.sieve = NameSieve(of: copy.hidden.union(copy.shown))
        return copy
    }

    /// Returns the names with more that are shown, whatever their words. The last word about a name counts.
    package func showing(_ names: some Sequence<String>) -> SecretNames {
        var copy = self
        for name in names {
            let folded = NameFolding.folded(name)
            copy.hidden.remove(folded)
            copy.joined.removeAll { $0 == folded }
            copy.shown.insert(folded)
        }
        copy.sieve = NameSieve(of: copy.hidden.union(copy.shown))
        return copy
    }

    /// Returns the names without what the user said about some: their words count again.
    package func forgetting(_ names: some Sequence<String>) -> SecretNames {
        var copy = showing(names)
        for name in names { copy.shown.remove(NameFolding.folded(name)) }
        copy.sieve = NameSieve(of: copy.hidden.union(copy.shown))
        return copy
    }

    // MARK: Answers

    /// Returns the rule that masks the value of a name, whatever the value is. Names under which a value may be harmless,
    /// such as `code`, are secret; counting names are not.
    package func rule(for name: String) -> SecretRule? { Self.rule(answer(name)) }
    package func rule(for name: Substring) -> SecretRule? { Self.rule(answer(name)) }

    private static func rule(_ verdict: NameVerdict?) -> SecretRule? {
        guard let verdict, verdict.decision != .onlyText else { return nil }
        return verdict.rule
    }

    /// Returns the rule that masks a value.
    package func rule(for name: String, value: SecretValue) -> SecretRule? { rule(for: name[...], value: value) }

    package func rule(for name: Substring, value: SecretValue) -> SecretRule? {
        guard let answer = answer(name), let rule = answer.rule else { return nil }
        return rule == .named || value.isSecret(answer.decision) ? rule : nil
    }

    /// Returns the rule that masks a value of a query or form. There `key` alone is the key of an API, as maps and clouds take it; elsewhere
    /// it names one half of a pair.
    package func rule(forQuery name: Substring, value: SecretValue) -> SecretRule? {
        if let rule = rule(for: name, value: value) { return rule }
        guard judgesWords, name.utf8.count == 3, name.lowercased() == "key", !shown.contains("key") else { return nil }
        return value.isSecret(.always) ? .key : nil
    }

    private func answer(_ name: Substring) -> NameVerdict? {
        if !sieve.isEmpty, let isHidden = ownAnswer(name) { return isHidden ? NameVerdict(.named) : nil }
        guard judgesWords else { return nil }
        let verdict = name.utf8.withContiguousStorageIfAvailable(Self.verdict) ?? Self.verdictOfBridged(String(name))
        return verdict == .harmless ? nil : verdict
    }

    private func answer(_ name: String) -> NameVerdict? {
        guard sieve.isEmpty else { return answer(name[...]) }
        guard judgesWords else { return nil }
        let verdict = name.utf8.withContiguousStorageIfAvailable(Self.verdict) ?? Self.verdictOfBridged(name)
        return verdict == .harmless ? nil : verdict
    }

    private static func verdict(_ name: UnsafeBufferPointer<UInt8>) -> NameVerdict { WordTable.shared.memory.verdict(name) }

    /// A string of Objective-C.
    private static func verdictOfBridged(_ name: String) -> NameVerdict {
        var copy = name
        return copy.withUTF8(verdict)
    }

    /// Returns whether the user hides a name, or a part of it; nil for names of which the user said nothing.
    private func ownAnswer(_ name: Substring) -> Bool? {
        let hasParts = name.utf8.contains(where: NameFolding.isJoint)
        guard hasParts || sieve.mayHold(name) else { return nil }
        let folded = NameFolding.folded(name)
        if hidden.contains(folded) { return true }
        if shown.contains(folded) { return false }
        guard hasParts else { return nil }
        if joined.contains(where: folded.contains) { return true }
        let parts = folded.utf8.split(whereSeparator: NameFolding.isJoint).map { String(Substring($0)) }
        if parts.contains(where: hidden.contains) { return true }
        return parts.last.map(shown.contains) == true ? false : nil
    }
}
