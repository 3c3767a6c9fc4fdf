/// A set of keys without false negatives: a 128-bit Bloom filter with one bit for each key.
struct KeySignatures {
    static let count = 128

    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Returns the signature of a key, from its length and its first, middle and last byte.
    @inline(__always)
    static func signature(_ key: Span<UInt8>) -> UInt8 {
        let count = key.count
        guard count > 0 else { return 0 }
        let edges = UInt32(key[0]) &* 31 &+ UInt32(key[count &- 1]) &* 7 &+ UInt32(key[count >> 1]) &* 13
        return UInt8(truncatingIfNeeded: (edges &+ UInt32(truncatingIfNeeded: count) &* 67) & 127)
    }

    @inline(__always)
    func mayHold(_ signature: UInt8) -> Bool {
        let half = signature < 64 ? low : high
        return half & (1 << UInt64(signature & 63)) != 0
    }

    @inline(__always)
    mutating func insert(_ signature: UInt8) {
        if signature < 64 { low |= 1 << UInt64(signature & 63) } else { high |= 1 << UInt64(signature & 63) }
    }

    /// Makes the set report every key as possibly present.
    mutating func insertAll() {
        low = .max
        high = .max
    }
}
