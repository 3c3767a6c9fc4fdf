/// Writes numbers: integers as digits, floating point in the shortest form that reads back the same.
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
        guard magnitude >= 10 else {
            output.append(UInt8(truncatingIfNeeded: magnitude) + 0x30)
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var position = 20
            var rest = magnitude
            while rest > 0 {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                position -= 1
                digits[position] = UInt8(truncatingIfNeeded: digit) + 0x30
                rest = quotient
            }
            output.append(UnsafeBufferPointer(rebasing: digits[position...]))
        }
    }

    /// `value` is finite.
    static func write<T: BinaryFloatingPoint & CustomStringConvertible>(_ value: T, to output: OutputBuffer) {
        var text = value.description
        text.withUTF8 { digits in
            // Swift writes whole numbers as `1.0`; JSON needs no fraction, and Foundation writes none.
            let isWhole = digits.count > 2 && digits[digits.count - 1] == 0x30 && digits[digits.count - 2] == 0x2E
            output.append(UnsafeBufferPointer(rebasing: digits[..<(digits.count - (isWhole ? 2 : 0))]))
        }
    }

    static func text(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
