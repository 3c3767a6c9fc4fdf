/// The exact parts of a number's text of any length: the slow, general algorithm.
struct NumberParts: Hashable {
    let isNegative: Bool
    /// The digits without leading zeros and point; empty for zero.
    private var digits: [UInt8] = []
    /// The power of ten of `digits`; inexact beyond the length of any text, but with the correct sign.
    private var exponent: Int64 = 0

    init(_ text: Span<UInt8>) {
        isNegative = text.byte(at: 0) == 0x2D
        var isFraction = false
        for place in (isNegative ? 1 : 0)..<text.count {
            let byte = text.byte(at: place)
            if byte == 0x2E {
                isFraction = true
            } else if byte | 0x20 == 0x65 {
                exponent += Self.exponent(text, from: place + 1)
                break
            } else {
                if byte != 0x30 || !digits.isEmpty { digits.append(byte - 0x30) }
                if isFraction { exponent -= 1 }
            }
        }
    }

    /// The digits without leading and trailing zeros, and their power of ten; nil for zero.
    var significand: (digits: [UInt8], exponent: Int64)? {
        guard let last = digits.lastIndex(where: { $0 != 0 }) else { return nil }
        return (Array(digits[...last]), exponent + Int64(digits.count - 1 - last))
    }

    /// Returns whether two numbers are equal, however they are written.
    static func == (left: NumberParts, right: NumberParts) -> Bool {
        guard let first = left.significand, let second = right.significand else {
            return left.significand == nil && right.significand == nil
        }
        return left.isNegative == right.isNegative && first.digits == second.digits && first.exponent == second.exponent
    }

    func hash(into hasher: inout Hasher) {
        guard let significand else { return hasher.combine(0) }
        hasher.combine(isNegative)
        hasher.combine(significand.digits)
        hasher.combine(significand.exponent)
    }

    /// Whether there is no fractional part, for any size.
    var isWhole: Bool {
        digits.isEmpty || exponent >= 0
            || -exponent < digits.count && digits.suffix(Int(-exponent)).allSatisfy { $0 == 0 }
    }

    /// The digits of the whole number; nil if it has a fractional part, or more digits than any integer type.
    var wholeDigits: [UInt8]? {
        if digits.isEmpty { return [] }
        if exponent >= 0 {
            return exponent > 40 ? nil : digits + Array(repeating: 0, count: Int(exponent))
        }
        guard isWhole else { return nil }
        return Array(digits.dropLast(Int(-exponent)))
    }

    /// Larger than the length of any text, so that no digits compensate for it.
    private static let largestExponent: Int64 = 1 << 40

    private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int64 {
        var value: Int64 = 0
        for place in start..<text.count where text.byte(at: place) >= 0x30 {
            value = min(value * 10 + Int64(text.byte(at: place) - 0x30), largestExponent)
        }
        return text.byte(at: start) == 0x2D ? -value : value
    }
}
