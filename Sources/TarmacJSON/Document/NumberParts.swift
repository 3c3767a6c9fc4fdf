/// A number's text taken apart exactly, whatever its length: the slow, general way.
struct NumberParts: Hashable {
    let isNegative: Bool
    /// All digits without leading zeros, point left out; empty for zero.
    private var digits: [UInt8] = []
    /// The power of ten `digits` are multiplied with; beyond any text's length wrong, but of the right sign.
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

    /// The digits without zeros at either end, and the power of ten they are multiplied with; nil for zero.
    var significand: (digits: [UInt8], exponent: Int64)? {
        guard let last = digits.lastIndex(where: { $0 != 0 }) else { return nil }
        return (Array(digits[...last]), exponent + Int64(digits.count - 1 - last))
    }

    /// Equal when the numbers are, however they are written.
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

    /// Whether there is no fractional part, whatever the size.
    var isWhole: Bool {
        digits.isEmpty || exponent >= 0
            || -exponent < digits.count && digits.suffix(Int(-exponent)).allSatisfy { $0 == 0 }
    }

    /// The digits of the whole number; nil if there is a fractional part, or more digits than any
    /// integer type has.
    var wholeDigits: [UInt8]? {
        if digits.isEmpty { return [] }
        if exponent >= 0 {
            return exponent > 40 ? nil : digits + Array(repeating: 0, count: Int(exponent))
        }
        guard isWhole else { return nil }
        return Array(digits.dropLast(Int(-exponent)))
    }

    /// Larger than any text is long, so that no digits make up for it.
    private static let largestExponent: Int64 = 1 << 40

    private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int64 {
        var value: Int64 = 0
        for place in start..<text.count where text.byte(at: place) >= 0x30 {
            value = min(value * 10 + Int64(text.byte(at: place) - 0x30), largestExponent)
        }
        return text.byte(at: start) == 0x2D ? -value : value
    }
}
