/// Operations on eight bytes in one register (SWAR; Lamport 1975, "Multiple byte processing with full-word
/// instructions"). Lane 0 is the first byte in memory.
enum ByteLanes {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highs: UInt64 = 0x8080_8080_8080_8080

    /// Marks lanes that end the plain run of a string: quote, backslash, control character, or a byte outside ASCII.
    /// Lanes above the first mark may be wrong; the first is exact.
    @inline(__always)
    static func stringStops(_ lanes: UInt64) -> UInt64 {
        let quote = (lanes ^ (ones &* 0x22)) &- ones
        let backslash = (lanes ^ (ones &* 0x5C)) &- ones
        let control = lanes &- (ones &* 0x20)
        return (quote | backslash | control | lanes) & highs
    }

    /// Marks lanes as ``stringStops(_:)`` does, but not bytes outside ASCII.
    @inline(__always)
    static func escapeStops(_ lanes: UInt64) -> UInt64 {
        let quote = (lanes ^ (ones &* 0x22)) &- ones
        let backslash = (lanes ^ (ones &* 0x5C)) &- ones
        let control = lanes &- (ones &* 0x20)
        return (quote | backslash | control) & ~lanes & highs
    }

    /// Marks slashes; the first mark is exact.
    @inline(__always)
    static func slashes(_ lanes: UInt64) -> UInt64 {
        let slash = lanes ^ (ones &* 0x2F)
        return (slash &- ones) & ~slash & highs
    }

    /// Marks LF and CR; zero if there is none.
    @inline(__always)
    static func lineEnds(_ lanes: UInt64) -> UInt64 {
        let feed = lanes ^ (ones &* 0x0A)
        let carriageReturn = lanes ^ (ones &* 0x0D)
        return ((feed &- ones) & ~feed | (carriageReturn &- ones) & ~carriageReturn) & highs
    }

    /// Marks bytes that are not ASCII digits; the first mark is exact.
    @inline(__always)
    static func others(thanDigits lanes: UInt64) -> UInt64 {
        let digits = lanes ^ (ones &* 0x30)
        return ((digits &+ (ones &* 0x76)) | digits) & highs
    }

    /// Returns the number of the first marked lane; `marks` must not be zero.
    @inline(__always)
    static func first(_ marks: UInt64) -> Int {
        marks.trailingZeroBitCount >> 3
    }

    /// Returns the value of eight ASCII digits, the first digit highest (Lemire 2018).
    @inline(__always)
    static func digitsValue(_ lanes: UInt64) -> UInt64 {
        var value = lanes &- (ones &* 0x30)
        value = (value &* 10) &+ (value >> 8)
        let low = (value & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
        let high = ((value >> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
        return (low &+ high) >> 32
    }
}
