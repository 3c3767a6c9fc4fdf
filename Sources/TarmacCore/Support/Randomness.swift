@_spi(TarmacRooms) import TarmacHTTP

/// The source of random numbers: one generator for all calls of a client.
package final class Randomness: Sendable {
    private let generator: Locked<any RandomNumberGenerator & Sendable>

    package init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = Locked(generator) }

    package func next() -> UInt64 { generator.withLock { $0.next() } }

    /// Returns a number from 0 up to, but not including, 1.
    package func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns a random UUID (RFC 9562 §5.4).
    package func uuid() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = [high, low].map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return [digits[0].prefix(8), digits[0].dropFirst(8).prefix(4), digits[0].suffix(4), digits[1].prefix(4), digits[1].suffix(12)]
            .joined(separator: "-")
    }
}
