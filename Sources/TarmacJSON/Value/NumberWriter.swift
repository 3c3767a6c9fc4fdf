/// Writes numbers: integers as digits, floating-point numbers in the shortest form that reads back as the same number.
enum NumberWriter {
    @inline(__always)
    static func write<T: FixedWidthInteger>(_ value: T, to output: OutputBuffer) {
        if let small = Int64(exactly: value) {
            write(magnitude: small.magnitude, isNegative: small < 0, to: output)
        } else {
            output.append(String(value))
        }
    }

    private static func write(magnitude: UInt64, isNegative: Bool, to output: OutputBuffer) {
        if isNegative { output.append(0x2D) }
        guard magnitude >= 10 else { return output.append(UInt8(truncatingIfNeeded: magnitude) + 0x30) }
        let count = digitCount(magnitude)
        let first = output.extend(by: count)
        var place = first &+ count
        var rest = magnitude
        while place > first {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            place &-= 1
            output[place] = UInt8(truncatingIfNeeded: digit) + 0x30
            rest = quotient
        }
    }

    @inline(__always)
    private static func digitCount(_ magnitude: UInt64) -> Int {
        var count = 1
        var rest = magnitude
        while rest >= 10_000 {
            rest /= 10_000
            count &+= 4
        }
        return rest >= 1000 ? count &+ 3 : rest >= 100 ? count &+ 2 : rest >= 10 ? count &+ 1 : count
    }

    /// Writes a number, which must be finite.
    static func write<T: BinaryFloatingPoint & CustomStringConvertible>(_ value: T, to output: OutputBuffer) {
        value.description.withText { digits in
            // Swift writes whole numbers as `1.0`; JSON needs no fraction, and Foundation writes none.
            let count = digits.count
            let isWhole = count > 2 && digits.byte(at: count - 1) == 0x30 && digits.byte(at: count - 2) == 0x2E
            output.append(isWhole ? digits.extracting(0..<(count - 2)) : digits)
        }
    }

    static func text(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
