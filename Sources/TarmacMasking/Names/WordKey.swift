/// A word of `a` to `z`, packed. Words of up to 12 letters are exact; a longer one is a hash with the highest bit set.
struct WordKey: Hashable, Sendable {
    private(set) var bits: UInt64 = 0
    private(set) var count = 0

    /// Appends a letter, given as 1 to 26.
    @inline(__always)
    mutating func append(_ letter: UInt8) {
        bits = count < 12 ? bits << 5 | UInt64(letter) : (bits ^ UInt64(letter)) &* 0x9E37_79B9_7F4A_7C15 | 1 << 63
        count += 1
    }

    init() {}

    /// Appends a word; `false` if it would not be exact.
    mutating func append(_ word: UInt64, _ length: Int) -> Bool {
        guard count + length <= 12 else { return false }
        bits = bits << UInt64(5 * length) | word
        count += length
        return true
    }

    init(_ word: UnsafeBufferPointer<UInt8>) { for byte in word { append(byte & 0x1F) } }

    init(_ word: StaticString) { self.init(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)) }
}
