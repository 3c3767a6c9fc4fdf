/// Computes SHA-256 (FIPS 180-4 §6.2) of public data. For secrets, use TarmacCrypto.
package struct SHA256Digester {
    private var state = Self.initial
    private var buffer = BlockBuffer(size: 64, lengthSize: 8)

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        buffer.add(bytes) { Self.compress($0, into: &state) }
    }

    package mutating func finish() -> [UInt8] {
        buffer.finish { Self.compress($0, into: &state) }
        return state.flatMap { word in stride(from: UInt32(24), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) } }
    }

    /// Processes blocks one after the other (FIPS 180-4 §6). The words of the schedule are made in place.
    private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout [UInt32]) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
            constants.withUnsafeBufferPointer { k in
                for start in stride(from: 0, to: blocks.count, by: 64) {
                    expand(blocks, at: start, into: w)
                    mix(w, k, into: &state)
                }
            }
        }
    }

    @inline(__always)
    private static func expand(_ blocks: UnsafeRawBufferPointer, at start: Int, into w: UnsafeMutableBufferPointer<UInt32>) {
        for t in 0..<16 { w[t] = UInt32(bigEndian: blocks.loadUnaligned(fromByteOffset: start + 4 * t, as: UInt32.self)) }
        for t in 16..<64 {
            let s0 = rotated(w[t - 15], 7) ^ rotated(w[t - 15], 18) ^ (w[t - 15] >> 3)
            let s1 = rotated(w[t - 2], 17) ^ rotated(w[t - 2], 19) ^ (w[t - 2] >> 10)
            w[t] = w[t - 16] &+ s0 &+ w[t - 7] &+ s1
        }
    }

    @inline(__always)
    private static func mix(_ w: UnsafeMutableBufferPointer<UInt32>, _ k: UnsafeBufferPointer<UInt32>, into state: inout [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for t in 0..<64 {
            let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = h &+ sum1 &+ ((e & f) ^ (~e & g)) &+ k[t] &+ w[t]
            let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let second = sum0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { (word &>> count) | (word &<< (32 &- count)) }

    /// The fractional parts of the square roots of the first primes (FIPS 180-4 §5.3).
    private static let initial: [UInt32] = [
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
    ]

    /// The fractional parts of the cube roots of the first primes (FIPS 180-4 §4.2).
    private static let constants: [UInt32] = [
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    ]
}
