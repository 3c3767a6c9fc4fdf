/// Eight bytes looked at in one register (SWAR; Lamport 1975, "Multiple byte processing with
/// full-word instructions"). Lane 0 is the first byte in memory.
enum ByteLanes {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    static func load(_ pointer: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
    }

    /// Marks lanes that end the plain run of a string: quote, backslash, control character, or a
    /// byte outside ASCII. Lanes above the first mark may be wrong, the first never is.
    @inline(__always)
    static func stringStops(_ lanes: UInt64) -> UInt64 {
        let quote = (lanes ^ (ones &* 0x22)) &- ones
        let backslash = (lanes ^ (ones &* 0x5C)) &- ones
        let control = lanes &- (ones &* 0x20)
        return (quote | backslash | control | lanes) & highs
    }

    /// Like ``stringStops(_:)``, but bytes outside ASCII pass.
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

    /// The number of the first marked lane; `marks` is not zero.
    @inline(__always)
    static func first(_ marks: UInt64) -> Int {
        marks.trailingZeroBitCount >> 3
    }

    /// Whether all eight bytes are ASCII digits.
    @inline(__always)
    static func areDigits(_ lanes: UInt64) -> Bool {
        let high = lanes & 0xF0F0_F0F0_F0F0_F0F0
        let carried = (lanes &+ (ones &* 0x06)) & 0xF0F0_F0F0_F0F0_F0F0
        return (high | carried >> 4) == ones &* 0x33
    }

    /// The value of eight ASCII digits, first digit highest (Lemire 2018).
    @inline(__always)
    static func digitsValue(_ lanes: UInt64) -> UInt64 {
        var value = lanes &- (ones &* 0x30)
        value = (value &* 10) &+ (value >> 8)
        let low = (value & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
        let high = ((value >> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
        return (low &+ high) >> 32
    }

    /// Whether `count` bytes at both places are the same; keys are short, and a call to `memcmp` is not.
    @inline(__always)
    static func areEqual(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int) -> Bool {
        guard count < 8 else { return areEqualLong(left, right, count: count) }
        if count >= 4 {
            // Two loads that overlap cover 4 to 7 bytes.
            return load4(left) == load4(right) && load4(left + (count &- 4)) == load4(right + (count &- 4))
        }
        var index = 0
        while index < count {
            if left[index] != right[index] { return false }
            index &+= 1
        }
        return true
    }

    @inline(__always)
    private static func areEqualLong(
        _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, count: Int
    ) -> Bool {
        var index = 0
        while index &+ 8 <= count {
            if load(left + index) != load(right + index) { return false }
            index &+= 8
        }
        return load(left + (count &- 8)) == load(right + (count &- 8))
    }

    @inline(__always)
    private static func load4(_ pointer: UnsafePointer<UInt8>) -> UInt32 {
        UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self)
    }
}
