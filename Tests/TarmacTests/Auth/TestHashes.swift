import Foundation

/// MD5 (RFC 1321), SHA-256 and SHA-512/256 (FIPS 180-4), for known answers of Digest; nothing that ships uses them.
enum TestHashes {
    static func md5(_ message: [UInt8]) -> [UInt8] {
        let shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
        let constants = (0..<64).map { UInt32(truncatingIfNeeded: Int64(abs(sin(Double($0 + 1))) * 4_294_967_296)) }
        var words: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for block in blocks(message, lengthIsBigEndian: false) {
            let m = (0..<16).map { i in (0..<4).reduce(UInt32(0)) { $0 | UInt32(block[i * 4 + $1]) << (8 * $1) } }
            var (a, b, c, d) = (words[0], words[1], words[2], words[3])
            for i in 0..<64 {
                let (f, g): (UInt32, Int)
                switch i / 16 {
                case 0: (f, g) = ((b & c) | (~b & d), i)
                case 1: (f, g) = ((d & b) | (~d & c), (5 * i + 1) % 16)
                case 2: (f, g) = (b ^ c ^ d, (3 * i + 5) % 16)
                default: (f, g) = (c ^ (b | ~d), (7 * i) % 16)
                }
                let sum = a &+ f &+ constants[i] &+ m[g]
                (a, d, c) = (d, c, b)
                let shift = shifts[i / 16 * 4 + i % 4]
                b = b &+ (sum << shift | sum >> (32 - shift))
            }
            words = zip(words, [a, b, c, d]).map { $0 &+ $1 }
        }
        return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
    }

    static func sha256(_ message: [UInt8]) -> [UInt8] {
        let primes = (2...311).filter { n in !(2..<n).contains { n % $0 == 0 } }
        let constants = primes.prefix(64).map { fraction($0, root: 3) }
        var words = primes.prefix(8).map { fraction($0, root: 2) }
        for block in blocks(message, lengthIsBigEndian: true) {
            var w = (0..<16).map { i in (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(block[i * 4 + $1]) } }
            for i in 16..<64 {
                let s0 = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3
                let s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10
                w.append(w[i - 16] &+ s0 &+ w[i - 7] &+ s1)
            }
            var v = words
            for i in 0..<64 {
                let s1 = rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)
                let t1 = v[7] &+ s1 &+ ((v[4] & v[5]) ^ (~v[4] & v[6])) &+ constants[i] &+ w[i]
                let s0 = rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)
                let t2 = s0 &+ ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]))
                v = [t1 &+ t2, v[0], v[1], v[2], v[3] &+ t1, v[4], v[5], v[6]]
            }
            words = zip(words, v).map { $0 &+ $1 }
        }
        return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }

    static func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// The first 32 bits behind the point of a square or cube root, by integers alone.
    private static func fraction(_ prime: Int, root: Int) -> UInt32 {
        var (low, high) = (UInt64(0), UInt64(20) << 32)
        while low < high {
            let middle = (low + high + 1) / 2
            let isBelow = root == 2 ? square(middle) <= (UInt64(prime), 0) : cubeIsAtMost(middle, UInt64(prime))
            if isBelow { low = middle } else { high = middle - 1 }
        }
        return UInt32(truncatingIfNeeded: low)
    }

    private static func square(_ x: UInt64) -> (UInt64, UInt64) { x.multipliedFullWidth(by: x) }

    private static func cubeIsAtMost(_ x: UInt64, _ prime: UInt64) -> Bool {
        let (high, low) = x.multipliedFullWidth(by: x)
        let first = low.multipliedFullWidth(by: x)
        let second = high.multipliedFullWidth(by: x)
        let (middle, carry) = second.low.addingReportingOverflow(first.high)
        let top = second.high + (carry ? 1 : 0)
        // The cube has 96 bits behind the point.
        return top == 0 && (middle >> 32 < prime || middle == prime << 32 && first.low == 0)
    }

    private static func blocks(_ message: [UInt8], lengthIsBigEndian: Bool) -> [[UInt8]] {
        let bits = UInt64(message.count) * 8
        var padded = message + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        padded += lengthIsBigEndian ? length.reversed() : length
        return stride(from: 0, to: padded.count, by: 64).map { Array(padded[$0..<$0 + 64]) }
    }
}
