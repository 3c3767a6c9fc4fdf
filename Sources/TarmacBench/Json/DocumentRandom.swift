#if Tools
/// SplitMix64 (Steele, Lea, Flood 2014): every run measures the same documents.
struct DocumentRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    mutating func upTo(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
    mutating func pick<T>(_ values: [T]) -> T { values[upTo(values.count)] }
    /// True once in `count` times.
    mutating func once(in count: Int) -> Bool { upTo(count) == 0 }

    /// A number of `count` digits.
    mutating func digits(_ count: Int) -> String {
        (0..<count).map { String($0 == 0 ? 1 + upTo(9) : upTo(10)) }.joined()
    }
}
#endif
