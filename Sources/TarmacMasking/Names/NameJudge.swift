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

    /// Returns the answer about a name of any length. Of a name over 256 bytes, the first and the last 128 count.
    static func verdict(_ name: UnsafeBufferPointer<UInt8>) -> NameVerdict {
        if name.count > longestName {
            let head = verdict(UnsafeBufferPointer(rebasing: name[..<128]))
            return head == .harmless ? verdict(UnsafeBufferPointer(rebasing: name[(name.count - 128)...])) : head
        }
        if name.contains(where: { $0 >= 0x80 }) { return foreign(name) }
        return ascii(name)
    }

    private static func ascii(_ name: UnsafeBufferPointer<UInt8>) -> NameVerdict {
        withUnsafeTemporaryAllocation(of: Word.self, capacity: capacity) { words in
            var judge = NameJudge(table: .shared, words: words)
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
                    append(0, 2, [.secret, .codeOwner], SecretRule.oneTimeCode.rawValue)
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
        guard word.count > 3, table.mayBeSecret(word) else { return append(key.bits, word.count, [], 0) }
        let before = count
        if word.count <= Self.longestWord, split(word, 0, depth: 0) { return }
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
            if index - start < 2 || entry.pointee.traits.contains(.alone) && word.count - (index - start) > 0 && !Self.mayJoin(index - start) { continue }
            append(entry.pointee.key, index - start, entry.pointee.traits, entry.pointee.rule)
            if split(word, index, depth: depth + 1) { return true }
            count = kept
        }
        return false
    }

    /// Whether a word that stands alone may still be part of another: from three letters on.
    private static func mayJoin(_ length: Int) -> Bool { length >= 3 }

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
        append(whole.bits, word.count, [], 0)
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

    private static let joinable: NameTraits = [.secret, .neutral, .codeOwner]
    private static let wordOAuth = WordKey("oauth").bits, wordInput = WordKey("input").bits

    // MARK: Judging

    private var isSpelled: Bool { count > 2 && (0..<count).allSatisfy { words[$0].length == 1 } }

    private func verdict() -> NameVerdict {
        var union = NameTraits()
        for index in 0..<count { union.formUnion(words[index].traits) }
        if count == 1, words[0].key == Self.wordOAuth { return NameVerdict(.authorization) }
        if union.isDisjoint(with: .needed) { return .harmless }
        var rule: SecretRule?
        var last = -1, isPlural = true
        for index in 0..<count {
            guard let (found, end) = secret(at: index, union) else { continue }
            rule = rule ?? found
            last = max(last, end)
            isPlural = isPlural && words[index].traits.contains(.tokens)
        }
        guard let rule else { return isCodeAlone ? NameVerdict(.code, .codeAlone) : .harmless }
        for index in last + 1..<max(count, last + 1) where words[index].traits.contains(.fact) { return .harmless }
        if union.contains(.counter) || hasQuestion(before: last) { return NameVerdict(rule, .onlyText) }
        return NameVerdict(rule, isPlural ? .unlessNumber : .always)
    }

    private func hasQuestion(before last: Int) -> Bool { (0..<last).contains { words[$0].traits.contains(.question) } }

    private var isCodeAlone: Bool {
        guard count > 0, words[count - 1].traits.contains(.code) else { return false }
        return (0..<count - 1).allSatisfy { words[$0].traits.contains(.neutral) }
    }

    private func has(_ index: Int, _ traits: NameTraits) -> Bool { index >= 0 && index < count && !words[index].traits.isDisjoint(with: traits) }

    /// Returns the rule of the word at `index`, and the last word that belongs to the secret.
    private func secret(at index: Int, _ union: NameTraits) -> (SecretRule, Int)? {
        let word = words[index]
        if word.traits.isDisjoint(with: .needed) { return nil }
        if word.traits.contains(.secret), !isException(index, union) { return (SecretRule(rawValue: word.rule) ?? .secret, index) }
        if word.traits.contains(.key), !has(index - 1, .keyRole), let owner = (0..<count).last(where: { $0 != index && has($0, .keyOwner) }) {
            return (.key, max(index, owner))
        }
        if word.traits.contains(.code), has(index - 1, .codeOwner) { return (.code, index) }
        if word.traits.contains(.session) {
            if index == count - 1 { return (.session, index) }
            if has(index + 1, [.content, .key, .code]) { return (.session, index + 1) }
        }
        if word.traits.contains(.holder), has(index + 1, [.identifier, .code, .key, .ticket]) { return (.device, index + 1) }
        if word.traits.contains(.numberOwner), has(index + 1, .number) { return (.number, index + 1) }
        if word.traits.contains(.document), has(index + 1, .identifier) { return (.number, index + 1) }
        if word.traits.contains(.pairHead), index + 1 < count, let rule = table.pair(word.key, words[index + 1].key) { return (rule, index + 1) }
        return nil
    }

    /// Whether a word that is usually a secret is none in this name.
    private func isException(_ index: Int, _ union: NameTraits) -> Bool {
        let traits = words[index].traits
        if traits.contains(.token) {
            if traits.contains(.tokens), union.contains(.measure), !union.contains(.grant) { return true }
            return union.contains(.cursor) && !union.contains(.grant)
        }
        if traits.contains(.pass) { return has(index - 1, .passKind) || has(index + 1, .passKind) }
        if traits.contains(.sign) { return has(index - 1, .signKind) || has(index + 1, .signVerb) }
        if traits.contains(.auth) { return has(index + 1, .authFact) && index + 2 == count }
        return words[index].rule == SecretRule.signature.rawValue && index + 1 < count && words[index + 1].key == Self.wordInput
    }
}
