/// A number of up to 19 significant digits as integer × power of ten, and its nearest `Double`.
///
/// It tries two exact algorithms: Clinger's (1990), if both factors fit a `Double`, and that of Eisel and Lemire
/// (2021), with 128-bit powers of five. For other numbers (more digits, extreme exponents, subnormal results) the
/// result is nil, and the standard library converts them.
struct FloatingDecimal {
    private var isNegative = false
    private var digits: UInt64 = 0
    private var exponent = 0

    @inline(__always)
    init?(_ text: Span<UInt8>) {
        var position = 0
        if text.byte(at: 0) == 0x2D {
            isNegative = true
            position = 1
        }
        let first = position
        accumulate(text, &position)
        var count = position &- first
        if text.byte(at: position) == 0x2E {
            position &+= 1
            let fraction = position
            if let lanes = text.lanes(at: position), ByteLanes.others(thanDigits: lanes) == 0 {
                digits = digits &* 100_000_000 &+ ByteLanes.digitsValue(lanes)
                position &+= 8
            }
            accumulate(text, &position)
            exponent = fraction &- position
            count &-= exponent
        }
        // Counting leading zeros as digits only sends a few more numbers to the slow algorithm.
        guard count <= 19 else { return nil }
        if position < text.count, !addExponent(text, from: position &+ 1) { return nil }
    }

    @inline(__always)
    private mutating func accumulate(_ text: Span<UInt8>, _ position: inout Int) {
        // The NUL beyond the end is not a digit either.
        while case let digit = text.byte(at: position) &- 0x30, digit < 10 {
            digits = digits &* 10 &+ UInt64(digit)
            position &+= 1
        }
    }

    private mutating func addExponent(_ text: Span<UInt8>, from start: Int) -> Bool {
        var position = start
        let sign = text.byte(at: position)
        if sign == 0x2D || sign == 0x2B { position += 1 }
        guard text.count - position <= 4 else { return false }
        var value = 0
        while position < text.count {
            value = value * 10 + Int(text.byte(at: position) - 0x30)
            position += 1
        }
        exponent += sign == 0x2D ? -value : value
        return true
    }

    // MARK: Value

    var double: Double? {
        guard let magnitude = magnitude else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    private static let exactPowers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
        1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    private var magnitude: Double? {
        if digits == 0 { return 0 }
        if digits <= 1 << 53, -22...22 ~= exponent {
            let value = Double(digits)
            return exponent < 0
                ? value / Self.exactPowers[-exponent] : value * Self.exactPowers[exponent]
        }
        guard PowersOfFive.range ~= exponent else { return nil }
        return scaled
    }

    /// `compute_float` of Lemire's paper, for normal results.
    private var scaled: Double? {
        let leadingZeros = digits.leadingZeroBitCount
        let significand = digits << UInt64(leadingZeros)
        let product = product(significand)
        let upperBit = Int(product.high >> 63)
        let shift = UInt64(upperBit + 64 - 52 - 3)
        var mantissa = product.high >> shift
        // ⌊log₂ 10^q⌋ + 63, with 217706 / 2¹⁶ ≈ log₂ 10.
        var power = (217_706 * exponent) >> 16 + 63 + upperBit - leadingZeros + 1023
        guard power > 0 else { return nil }
        // Exactly between two doubles: round to even, which adding the last bit below does not do.
        if product.low <= 1, -4...23 ~= exponent, mantissa & 3 == 1, mantissa << shift == product.high {
            mantissa &= ~1
        }
        mantissa = (mantissa + mantissa & 1) >> 1
        if mantissa >= 2 << 52 {
            mantissa = 1 << 52
            power += 1
        }
        guard power < 0x7FF else { return nil }
        return Double(bitPattern: mantissa & ~(1 << 52) | UInt64(power) << 52)
    }

    private func product(_ significand: UInt64) -> (high: UInt64, low: UInt64) {
        let index = 2 * (exponent - PowersOfFive.range.lowerBound)
        var (high, low) = significand.multipliedFullWidth(by: PowersOfFive.words[index])
        // Only when all bits below the 55 needed ones are set can the lower half carry into them.
        if high & 0x1FF == 0x1FF {
            let lower = significand.multipliedFullWidth(by: PowersOfFive.words[index + 1]).high
            let (sum, carries) = low.addingReportingOverflow(lower)
            low = sum
            if carries { high += 1 }
        }
        return (high, low)
    }
}
