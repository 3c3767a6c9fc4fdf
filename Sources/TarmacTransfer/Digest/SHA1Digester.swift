import TarmacCore
import TarmacDigest

/// SHA-1 (FIPS 180-4 §6.1), for the checksums of tus. It does not protect against tampering.
package struct SHA1Digester: Digester {
    private var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    private var buffer = BlockBuffer(size: 64, lengthSize: 8)

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        buffer.add(bytes) { Self.compress($0, into: &state) }
    }

    package mutating func finish() -> [UInt8] {
        buffer.finish { Self.compress($0, into: &state) }
        return state.flatMap { word in stride(from: UInt32(24), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) } }
    }

    private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout [UInt32]) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 80) { w in
            for start in stride(from: 0, to: blocks.count, by: 64) {
                for t in 0..<16 { w[t] = UInt32(bigEndian: blocks.loadUnaligned(fromByteOffset: start + 4 * t, as: UInt32.self)) }
                for t in 16..<80 { w[t] = rotated(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1) }
                mix(w, into: &state)
            }
        }
    }

    private static func mix(_ w: UnsafeMutableBufferPointer<UInt32>, into state: inout [UInt32]) {
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for t in 0..<80 {
            let (choice, constant) = round(t, b, c, d)
            let next = rotated(a, 5) &+ choice &+ e &+ constant &+ w[t]
            (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    private static func round(_ t: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt32, UInt32) {
        switch t {
        case 0..<20: ((b & c) ^ (~b & d), 0x5a82_7999)
        case 20..<40: (b ^ c ^ d, 0x6ed9_eba1)
        case 40..<60: ((b & c) ^ (b & d) ^ (c & d), 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { (word &<< count) | (word &>> (32 &- count)) }
}
