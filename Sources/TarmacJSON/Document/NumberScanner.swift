/// Validates a number: RFC 8259 §6. The value is only computed when it is read.
///
/// Transparent, because the compiler (6.3) ignores `inline(__always)` here, which cost a tenth of indexing.
enum NumberScanner {
    /// Returns the kind of the number at `start`, and its end or the position of a fault.
    /// - Returns: `.integer` without fraction and exponent, `.decimal` with one, nil if malformed.
    @_transparent
    static func scan<Reading: ByteReading>(
        _ text: Span<UInt8>, from start: Int, _ reading: Reading.Type
    ) -> (kind: TapeWord.Kind?, end: Int) {
        var position = Reading.byte(text, at: start) == 0x2D ? start &+ 1 : start
        if Reading.byte(text, at: position) == 0x30 {
            position &+= 1
            // A leading zero must be the only digit: `01` is not a number.
            if isDigit(Reading.byte(text, at: position)) { return (nil, position) }
        } else {
            guard isDigit(Reading.byte(text, at: position)) else { return (nil, position) }
            position = digitsEnd(text, from: position &+ 1, reading)
        }
        var kind = TapeWord.Kind.integer
        if Reading.byte(text, at: position) == 0x2E {
            position &+= 1
            guard isDigit(Reading.byte(text, at: position)) else { return (nil, position) }
            position = digitsEnd(text, from: position &+ 1, reading)
            kind = .decimal
        }
        if Reading.byte(text, at: position) | 0x20 == 0x65 {
            position &+= 1
            let sign = Reading.byte(text, at: position)
            if sign == 0x2B || sign == 0x2D { position &+= 1 }
            guard isDigit(Reading.byte(text, at: position)) else { return (nil, position) }
            position = digitsEnd(text, from: position &+ 1, reading)
            kind = .decimal
        }
        return (kind, position)
    }

    @_transparent
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @_transparent
    private static func digitsEnd<Reading: ByteReading>(
        _ text: Span<UInt8>, from start: Int, _ reading: Reading.Type
    ) -> Int {
        var position = start
        while let lanes = text.lanes(at: position), ByteLanes.others(thanDigits: lanes) == 0 { position &+= 8 }
        while isDigit(Reading.byte(text, at: position)) { position &+= 1 }
        return position
    }
}
