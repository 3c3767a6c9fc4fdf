/// The vocabulary, made for look-ups: a table with open addressing, and the three letters that start each needed word.
///
/// A struct of pointers, so that a look-up counts no references. It is made at the first use, in about half a millisecond, and is never freed.
// SAFETY: nothing is written after `init`.
struct WordTable: @unchecked Sendable {
    struct Entry {
        var key: UInt64 = 0
        var traits = NameTraits()
        var rule: UInt8 = 0
    }

    static let shared = WordTable()

    /// The answers about names that were seen.
    let memory = NameMemory()

    private static let slots = 4096
    private let entries: UnsafeMutablePointer<Entry>
    /// Three letters as 15 bits.
    private let starts: UnsafeMutablePointer<UInt64>
    /// By first letter: the lengths of its words as bits.
    private let lengths: UnsafeMutablePointer<UInt32>

    private init() {
        entries = .allocate(capacity: Self.slots)
        entries.initialize(repeating: Entry(), count: Self.slots)
        starts = .allocate(capacity: 512)
        starts.initialize(repeating: 0, count: 512)
        lengths = .allocate(capacity: 32)
        lengths.initialize(repeating: 0, count: 32)
        for list in NameVocabulary.classes {
            Self.forEachWord(of: list.words) { add($0, list.rule, list.traits) }
        }
        for list in NameVocabulary.pairs {
            var first: UnsafeBufferPointer<UInt8>?
            Self.forEachWord(of: list.words) { word in
                guard let head = first else { return first = word }
                add(head, nil, .pairHead)
                add(word, nil, [])
                put(Self.pairKey(WordKey(head).bits, WordKey(word).bits), list.rule, [])
                // "qak": the head is too short to be recognised alone.
                if head.count < 3 { note(Array((Array(head) + word).prefix(3))) }
                first = nil
            }
        }
    }

    private static func forEachWord(of list: StaticString, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        let bytes = UnsafeBufferPointer(start: list.utf8Start, count: list.utf8CodeUnitCount)
        for word in bytes.split(separator: UInt8(ascii: " ")) { body(UnsafeBufferPointer(rebasing: word)) }
    }

    private func add(_ word: UnsafeBufferPointer<UInt8>, _ rule: SecretRule?, _ traits: NameTraits) {
        put(WordKey(word).bits, rule, traits)
        lengths[Int(word[0] & 0x1F)] |= 1 << UInt32(min(word.count, 31))
        if !traits.isDisjoint(with: .needed), word.count >= 3 { note(Array(word)) }
    }

    private func put(_ key: UInt64, _ rule: SecretRule?, _ traits: NameTraits) {
        var slot = Self.slot(key)
        while entries[slot].key != 0, entries[slot].key != key { slot = (slot + 1) & (Self.slots - 1) }
        entries[slot].key = key
        entries[slot].traits.formUnion(traits)
        // The first rule of a word is the one it has alone.
        if let rule, entries[slot].rule == 0 { entries[slot].rule = rule.rawValue }
    }

    private func note(_ word: [UInt8]) {
        let index = Int(word[0] & 0x1F) << 10 | Int(word[1] & 0x1F) << 5 | Int(word[2] & 0x1F)
        starts[index >> 6] |= 1 << UInt64(index & 63)
    }

    @inline(__always)
    private static func slot(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 52) }

    @inline(__always)
    func entry(_ key: WordKey) -> UnsafePointer<Entry>? { entry(key.bits) }

    @inline(__always)
    private func entry(_ key: UInt64) -> UnsafePointer<Entry>? {
        var slot = Self.slot(key)
        while entries[slot].key != 0 {
            if entries[slot].key == key { return UnsafePointer(entries + slot) }
            slot = (slot + 1) & (Self.slots - 1)
        }
        return nil
    }

    /// Whether a word of this length starts with this letter.
    @inline(__always)
    func hasWord(startingWith letter: UInt8, length: Int) -> Bool { lengths[Int(letter & 0x1F)] & (1 << UInt32(min(length, 31))) != 0 }

    /// Whether three letters start a word without which no name is secret.
    @inline(__always)
    func isStart(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        let index = Int(first & 0x1F) << 10 | Int(second & 0x1F) << 5 | Int(third & 0x1F)
        return starts[index >> 6] & (1 << UInt64(index & 63)) != 0
    }

    func pair(_ first: UInt64, _ second: UInt64) -> SecretRule? {
        entry(Self.pairKey(first, second)).flatMap { SecretRule(rawValue: $0.pointee.rule) }
    }

    /// The key of two words in the table of words, which equals no word's in practice.
    private static func pairKey(_ first: UInt64, _ second: UInt64) -> UInt64 { (first &* 0x9E37_79B9_7F4A_7C15 ^ second) | 1 << 63 }

    /// Whether a name may be secret. `false` is certain: no word without which no name is secret starts in it.
    @inline(__always)
    func mayBeSecret(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        // `pw`, `ak` and `id` are too short to have a start.
        if name.count < 3 { return true }
        let starts = starts
        var index = 0, isBehindLetter = false
        for byte in name {
            let letter = byte | 0x20
            if letter &- 0x61 < 26 {
                index = (index << 5 | Int(letter & 0x1F)) & 0x7FFF
                // `pw` and `id` are too short for a start of three letters; `id` matters only behind one.
                if starts[index >> 6] & (1 << UInt64(index & 63)) != 0 || index & 0x3FF == 0x217 { return true }
                isBehindLetter = true
            } else if byte >= 0x80 || byte == UInt8(ascii: "2") || isBehindLetter && LookAlike.isOne(byte) {
                return true
            } else {
                isBehindLetter = false
            }
        }
        return false
    }
}
