/// Cuts a name into words and judges them (pure).
struct NameJudge {
    private struct Word {
        var key: UInt64
        var length: Int
        var traits: NameTraits
        var rule: UInt8
    }

    private static let capacity = 32
    /// The longest word that is searched for words in it, and the longest name that is judged as a whole.
    private static let longestWord = 40, longestName = 256

    private let table: WordTable
    private let words: UnsafeMutableBufferPointer<Word>
    private var count = 0
    /// Whether the name starts with `_`, as the cookies of sessions do: `_example_session`.
    private var isUnderscored = false

    /// Returns the answer about a name of any length. Of a name over 256 bytes, the first and the last 128 count.
    static func verdict(_ name: UnsafeBufferPointer<UInt8>) -> NameVerdict {
        if name.count > longestName {
            let head = verdict(UnsafeBufferPointer(rebasing: name[..<128]))
            return head == .harmless ? verdict(UnsafeBufferPointer(rebasing: name[(name.count - 128)...])) : head
        }
        if name.contains(where: { $0 >= 0x80 }) { return foreign(name) }
        let verdict = ascii(name)
        return verdict == .harmless && name.contains(where: LookAlike.isOne) ? disguised(name) : verdict
    }

    private static func disguised(_ name: UnsafeBufferPointer<UInt8>) -> NameVerdict {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count) { letters in
            guard LookAlike.write(name, to: letters) else { return .harmless }
            let verdict = ascii(UnsafeBufferPointer(letters))
            return LookAlike.accepts(verdict) ? verdict : .harmless
        }
    }

    private static func ascii(_ name: UnsafeBufferPointer<UInt8>) -> NameVerdict {
        withUnsafeTemporaryAllocation(of: Word.self, capacity: capacity) { words in
            var judge = NameJudge(table: .shared, words: words)
            judge.isUnderscored = name.first == UInt8(ascii: "_")
            if let verdict = judge.read(name) { return verdict }
            return judge.isSpelled ? spelled(name) : judge.verdict()
        }
    }

    /// Judges a name of single letters, such as `p-i-n` or `t_o_k_e_n`, as one word.
    private static func spelled(_ name: UnsafeBufferPointer<UInt8>) -> NameVerdict {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count) { letters in
            var count = 0
            for byte in name where isLetter(byte) {
                letters[count] = byte | 0x20
                count += 1
            }
            return ascii(UnsafeBufferPointer(rebasing: letters[..<count]))
        }
    }

    private static func foreign(_ name: UnsafeBufferPointer<UInt8>) -> NameVerdict {
        let text = ForeignName.folded(String(decoding: name, as: UTF8.self))
        if let rule = ForeignName.rule(for: text) { return NameVerdict(rule) }
        var copy = text
        return copy.withUTF8(ascii)
    }

    private init(table: WordTable, words: UnsafeMutableBufferPointer<Word>) {
        self.table = table
        self.words = words
    }

    // MARK: Cutting

    /// Reads the words. Returns an answer if there are too many to hold.
    private mutating func read(_ name: UnsafeBufferPointer<UInt8>) -> NameVerdict? {
        var start = 0
        while start < name.count {
            guard Self.isLetter(name[start]) else {
                // "2fa" is a word; other digits only separate.
                if name[start] == UInt8(ascii: "2"), start + 2 < name.count, name[start + 1] | 0x20 == 0x66, name[start + 2] | 0x20 == 0x61 {
                    append(0, 2, [.secret, .head, .codeOwner], SecretRule.oneTimeCode.rawValue)
                    start += 3
                } else {
                    start += 1
                }
                continue
            }
            var end = start + 1
            while end < name.count, Self.isLetter(name[end]), !Self.isBoundary(name, end) { end += 1 }
            if count > Self.capacity - 8 {
                let verdict = verdict()
                if verdict != .harmless { return verdict }
                words[0] = words[count - 1]
                count = 1
            }
            appendWord(name, start, end)
            start = end
        }
        if count > 1 { joinParts() }
        return nil
    }

    private mutating func append(_ key: UInt64, _ length: Int, _ traits: NameTraits, _ rule: UInt8) {
        guard count < Self.capacity else { return }
        words.initializeElement(at: count, to: Word(key: key, length: length, traits: traits, rule: rule))
        count += 1
    }

    @inline(__always)
    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    @inline(__always)
    private static func isUpper(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }

    /// Whether a word starts at a letter that follows a letter: `userId`, `APIKey`.
    private static func isBoundary(_ name: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard isUpper(name[index]) else { return false }
        if !isUpper(name[index - 1]) { return true }
        return index + 1 < name.count && isLetter(name[index + 1]) && !isUpper(name[index + 1])
    }

    private mutating func appendWord(_ name: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
        var key = WordKey()
        for index in start..<end { key.append(name[index] & 0x1F) }
        if let entry = table.entry(key) { return append(entry.pointee.key, end - start, entry.pointee.traits, entry.pointee.rule) }
        let word = UnsafeBufferPointer(rebasing: name[start..<end])
        guard word.count > 3, table.mayBeSecret(word) else { return append(key.bits, word.count, Self.isActivity(word) ? .activity : [], 0) }
        let before = count
        if word.count <= Self.longestWord, split(word, 0, depth: 0), (before..<count).contains(where: { has($0, .needed) }) { return }
        count = before
        appendStem(of: word, key)
    }

    /// Appends the words of which a word consists, as `accesstoken` does; `false` if it consists of none.
    private mutating func split(_ word: UnsafeBufferPointer<UInt8>, _ start: Int, depth: Int) -> Bool {
        if start == word.count { return true }
        guard depth < 5, count < Self.capacity else { return false }
        var key = WordKey()
        var index = start
        let kept = count
        while index < word.count {
            key.append(word[index] & 0x1F)
            index += 1
            guard table.hasWord(startingWith: word[start], length: index - start), let entry = table.entry(key) else { continue }
            // A word of one letter, or one that may not be part of another, would be found everywhere.
            if index - start < 2 || entry.pointee.traits.contains(index - start < 3 ? .alone : .whole) { continue }
            append(entry.pointee.key, index - start, entry.pointee.traits, entry.pointee.rule)
            if split(word, index, depth: depth + 1) { return true }
            count = kept
        }
        return false
    }

    /// Appends what an unknown word contains: a secret's word anywhere, or one at its end.
    private mutating func appendStem(of word: UnsafeBufferPointer<UInt8>, _ whole: WordKey) {
        for start in 0..<max(word.count - 2, 0) where table.isStart(word[start], word[start + 1], word[start + 2]) {
            var key = WordKey()
            var index = start
            while index < word.count, index - start < 16 {
                key.append(word[index] & 0x1F)
                index += 1
                guard index - start > 2, table.hasWord(startingWith: word[start], length: index - start), let entry = table.entry(key) else { continue }
                let traits = entry.pointee.traits
                if traits.contains(.anywhere) || traits.contains(.tail) && index == word.count {
                    return append(entry.pointee.key, index - start, traits, entry.pointee.rule)
                }
            }
        }
        append(whole.bits, word.count, Self.isActivity(word) ? .activity : [], 0)
    }

    /// Whether an unknown word ends as those for activities and times do: `coaching`, `weekly`.
    private static func isActivity(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = word.count
        guard count > 4 else { return false }
        let last = word[count - 1] & 0x1F, before = word[count - 2] & 0x1F
        return before == 12 && last == 25 || word[count - 3] & 0x1F == 9 && before == 14 && last == 7
    }

    /// Joins two or three words that case or a separator has cut apart: `OAuth`, `aPIKey`, `one_time`.
    private mutating func joinParts() {
        var index = 0
        while index + 1 < count {
            if !join(index, 2), index + 3 <= count { _ = join(index, 3) }
            index += 1
        }
    }

    private mutating func join(_ index: Int, _ parts: Int) -> Bool {
        var key = WordKey()
        for place in index..<index + parts where !key.append(words[place].key, words[place].length) { return false }
        guard key.count > 3, let entry = table.entry(key), !entry.pointee.traits.isDisjoint(with: Self.joinable) else { return false }
        words[index] = Word(key: key.bits, length: key.count, traits: entry.pointee.traits, rule: entry.pointee.rule)
        for place in index + 1..<max(count - parts + 1, index + 1) { words[place] = words[place + parts - 1] }
        count -= parts - 1
        return true
    }

    private static let joinable: NameTraits = [.secret, .neutral, .codeOwner, .provider]
    private static let wordX = WordKey("x").bits, wordOAuth = WordKey("oauth").bits, wordTop = WordKey("top").bits, wordChange = WordKey("change").bits

    // MARK: Judging

    /// A word or words that are a secret.
    private struct Finding {
        let rule: SecretRule
        /// The last word of it.
        let end: Int
        /// Whether it is one only as the head of the name.
        var isHead = true
        /// Further words that may follow it.
        var follower: NameTraits = []
    }

    private var isSpelled: Bool { count > 2 && (0..<count).allSatisfy { words[$0].length == 1 } }

    private func verdict() -> NameVerdict {
        var union = NameTraits()
        for index in 0..<count { union.formUnion(words[index].traits) }
        if count == 1, words[0].key == Self.wordOAuth { return NameVerdict(.authorization) }
        if union.isDisjoint(with: .needed) { return .harmless }
        var rule: SecretRule?
        var last = -1, isPlural = true
        for index in 0..<count where !words[index].traits.isDisjoint(with: .needed) {
            guard let found = alone(at: index, union).flatMap(undescribed) ?? together(at: index).flatMap(undescribed) else { continue }
            rule = rule ?? found.rule
            last = max(last, found.end)
            isPlural = isPlural && words[index].traits.contains(.tokens)
        }
        guard let rule else { return isCodeAlone ? NameVerdict(.code, .codeAlone) : .harmless }
        if union.contains(.counter) || hasQuestion(before: last) { return NameVerdict(rule, .onlyText) }
        return NameVerdict(rule, isPlural ? .unlessNumber : .always)
    }

    private func hasQuestion(before last: Int) -> Bool { (0..<last).contains { words[$0].traits.contains(.question) } }

    private var isCodeAlone: Bool {
        guard count > 0, words[count - 1].traits.contains(.code) else { return false }
        return (0..<count - 1).allSatisfy { words[$0].traits.contains(.neutral) }
    }

    private func has(_ index: Int, _ traits: NameTraits) -> Bool { index >= 0 && index < count && !words[index].traits.isDisjoint(with: traits) }

    private func has(before index: Int, _ traits: NameTraits) -> Bool { (0..<index).contains { has($0, traits) } }

    /// Returns a finding unless the words after it say that the name is about a secret, and not one.
    private func undescribed(_ found: Finding) -> Finding? {
        guard found.end + 1 < count else { return found }
        let allowed = found.follower.union([.content, .provider])
        let isValue = has(count - 1, .value)
        if found.isHead, !isValue || found.rule != .token { return (found.end + 1..<count).allSatisfy { has($0, allowed) } ? found : nil }
        return isValue || (found.end + 1..<count).allSatisfy { !has($0, .fact) } ? found : nil
    }

    /// Returns the secret that a word is by itself, or with the words before it.
    private func alone(at index: Int, _ union: NameTraits) -> Finding? {
        let traits = words[index].traits
        if traits.contains(.secret), !isException(index, union) {
            return Finding(rule: rule(index) ?? .secret, end: index, isHead: traits.contains(.head), follower: follower(of: index))
        }
        if traits.contains(.key), !has(index - 1, .keyRole), has(index - 1, .keyNeighbor) || has(before: index, [.keyOwner, .provider]) {
            return Finding(rule: .key, end: index, follower: has(index - 1, .keyIdentity) ? .identifier : [])
        }
        if traits.contains(.code), has(index - 1, .codeOwner) { return Finding(rule: .code, end: index) }
        if traits.contains(.session), isOfProgram(index) {
            return Finding(rule: .session, end: index, follower: [.identifier, .ticket])
        }
        if traits.contains(.numberOwner), has(index - (has(index - 1, .neutral) ? 2 : 1), .number) { return Finding(rule: .number, end: index) }
        return nil
    }

    /// Whether a session is one of a program: with an identifier, without an owner, or with a known one.
    private func isOfProgram(_ index: Int) -> Bool {
        if has(index - 1, [.sessionKind, .activity]) { return false }
        // `_example_session` and `X-Example-Session`.
        if index == 0 || index == count - 1 && (isUnderscored || words[0].key == Self.wordX) { return true }
        return has(index - 1, [.sessionOwner, .provider, .neutral]) || has(index + 1, [.identifier, .key, .content, .ticket])
    }

    private func follower(of index: Int) -> NameTraits {
        if has(index, .keyIdentity) { return .identifier }
        if rule(index) == .number { return has(index, .alone) ? [.number, .part] : .number }
        return has(index, .pin) || rule(index) == .securityCode ? .number : []
    }

    /// Returns the secret that a word starts with the one after it.
    private func together(at index: Int) -> Finding? {
        let word = words[index], next = index + 1
        guard next < count else { return nil }
        if word.traits.contains(.holder), has(next, [.identifier, .code, .key, .ticket]) { return Finding(rule: .device, end: next) }
        if word.traits.contains(.ticketOwner), has(next, .ticket) { return Finding(rule: .session, end: next, follower: .identifier) }
        if word.traits.contains(.linkOwner), has(next, .link) || has(next + 1, .link) {
            return Finding(rule: .address, end: has(next, .link) ? next : next + 1, follower: .link)
        }
        if word.traits.contains(.phraseOwner), has(next, .phrase) { return Finding(rule: .password, end: next) }
        if word.traits.contains(.numberOwner), has(next, .number), !has(index - 1, .thing) { return Finding(rule: .number, end: next) }
        if word.traits.contains(.document), has(next, .identifier) { return Finding(rule: .number, end: next, follower: .number) }
        if word.traits.contains(.pairHead), !has(index, .key) || !has(index - 1, .keyRole), let rule = table.pair(word.key, words[next].key) {
            return Finding(rule: rule, end: next, follower: rule == .session ? .fact : rule == .number ? .number : [])
        }
        return nil
    }

    private func rule(_ index: Int) -> SecretRule? { SecretRule(rawValue: words[index].rule) }

    /// Whether a word says that the token is a credential. One before a position does not: `user[next_page_token]`.
    private func isGranted(_ index: Int) -> Bool {
        let kind = (0..<index).first { has($0, .tokenKind) && words[$0].key != Self.wordChange } ?? 0
        return (kind..<count).contains { has($0, .grant) }
    }

    /// Whether a word that is usually a secret is none in this name.
    private func isException(_ index: Int, _ union: NameTraits) -> Bool {
        let traits = words[index].traits
        if traits.contains(.token) {
            if union.contains(.grant), isGranted(index) { return false }
            // Tokens are mostly pieces of a text.
            if traits.contains(.tokens), index > 0, !has(index - 1, [.keyNeighbor, .keyOwner, .provider, .neutral]) { return true }
            return !union.isDisjoint(with: [.tokenKind, .measure]) && (traits.contains(.tokens) || union.contains(.tokenKind))
        }
        if traits.contains(.pass) { return has(index - 1, [.passKind, .activity]) }
        if traits.contains(.pin) { return has(index - 1, [.pinKind, .activity]) }
        if traits.contains(.sign) { return index > 0 && !has(index - 1, [.signOwner, .neutral]) }
        if rule(index) == .session { return has(index - 1, [.sessionKind, .activity]) }
        if traits.contains(.signature) { return has(index - 1, [.signatureKind, .measure]) }
        if traits.contains(.cookie) { return has(index - 1, .cookieKind) }
        if traits.contains(.alone), has(index - 1, .activity) { return rule(index) == .number }
        return rule(index) == .secret && (has(index + 1, .secretKind) || index > 0 && words[index - 1].key == Self.wordTop)
    }
}
