/// Computes the value of a number's text, which the indexer has validated.
enum NumberReader {
    /// Returns the exact whole number; nil if it has a fractional part or does not fit.
    @inline(__always)
    static func integer<T: FixedWidthInteger>(_ text: Span<UInt8>, as type: T.Type) -> T? {
        if let value = shortInteger(text) { return T(exactly: value) }
        return longInteger(text, as: type)
    }

    /// Reads up to 18 digits without fraction or exponent, which never overflow 64 bits.
    @inline(__always)
    static func shortInteger(_ text: Span<UInt8>) -> Int64? {
        let isNegative = text.byte(at: 0) == 0x2D
        var position = isNegative ? 1 : 0
        guard text.count &- position <= 18 else { return nil }
        var value: UInt64 = 0
        // The NUL beyond the end is not a digit either.
        while case let digit = text.byte(at: position) &- 0x30, digit < 10 {
            value = value &* 10 &+ UInt64(digit)
            position &+= 1
        }
        guard position == text.count else { return nil }
        return isNegative ? 0 &- Int64(bitPattern: value) : Int64(bitPattern: value)
    }

    /// Reads a number of any length with fraction and exponent. The digits are accumulated in `T` with their sign, so
    /// that the smallest value of a signed type is reached too.
    @inline(never)
    private static func longInteger<T: FixedWidthInteger>(_ text: Span<UInt8>, as type: T.Type) -> T? {
        let parts = NumberParts(text)
        guard let digits = parts.wholeDigits else { return nil }
        var value: T = 0
        for digit in digits {
            let shifted = value.multipliedReportingOverflow(by: 10)
            let next =
                parts.isNegative
                ? shifted.partialValue.subtractingReportingOverflow(T(truncatingIfNeeded: digit))
                : shifted.partialValue.addingReportingOverflow(T(truncatingIfNeeded: digit))
            guard !shifted.overflow, !next.overflow else { return nil }
            value = next.partialValue
        }
        return value
    }

    /// Returns the nearest `Double`, ties to even; nil if that is infinite.
    @inline(__always)
    static func double(_ text: Span<UInt8>) -> Double? {
        if let value = FloatingDecimal(text)?.double { return value }
        return slowDouble(text)
    }

    @inline(never)
    private static func slowDouble(_ text: Span<UInt8>) -> Double? {
        guard let value = Double(String(text)), value.isFinite else { return nil }
        return value
    }

    /// Returns the nearest `Float`, rounded once from the text.
    static func float(_ text: Span<UInt8>) -> Float? {
        guard let value = Float(String(text)), value.isFinite else { return nil }
        return value
    }
}
