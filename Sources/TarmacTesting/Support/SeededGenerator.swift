/// A generator of random numbers that are the same in every run: SplitMix64 (Steele, Lea, Flood 2014).
///
/// ```swift
/// var generator = SeededGenerator(seed: 7)
/// Int.random(in: 0..<10, using: &generator)
/// ```
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns bytes, eight of each number.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                var number = next()
                for _ in 0..<min(8, count - filled) {
                    buffer.initializeElement(at: filled, to: UInt8(truncatingIfNeeded: number))
                    number >>= 8
                    filled += 1
                }
            }
        }
    }
}
