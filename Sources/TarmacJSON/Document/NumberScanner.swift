/// Validates a number: RFC 8259 §6. The value is not computed; that waits until somebody asks.
enum NumberScanner {
    /// Moves `cursor` over the number it stands on, or to the byte at fault.
    ///
    /// The byte that stops the number must exist: the indexer's input ends in a bracket or a NUL,
    /// which are no part of a number, so no bound is checked digit by digit.
    /// - Returns: `.integer` without fraction and exponent, `.decimal` with one, nil if malformed.
    @inline(__always)
    static func scan(
        _ cursor: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
    ) -> TapeWord.Kind? {
        var position = cursor
        defer { cursor = position }
        if position.pointee == 0x2D { position += 1 }
        if position.pointee == 0x30 {
            position += 1
            // A leading zero stands alone: `01` is no number.
            if isDigit(position.pointee) { return nil }
        } else if !skipDigits(&position, end: end) {
            return nil
        }
        var kind = TapeWord.Kind.integer
        if position.pointee == 0x2E {
            position += 1
            guard skipDigits(&position, end: end) else { return nil }
            kind = .decimal
        }
        if position.pointee | 0x20 == 0x65 {
            position += 1
            if position.pointee == 0x2B || position.pointee == 0x2D { position += 1 }
            guard skipDigits(&position, end: end) else { return nil }
            kind = .decimal
        }
        return kind
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// False when there is no digit at all.
    @inline(__always)
    private static func skipDigits(
        _ position: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
    ) -> Bool {
        guard isDigit(position.pointee) else { return false }
        position += 1
        while end - position >= 8 && ByteLanes.areDigits(ByteLanes.load(position)) { position += 8 }
        while isDigit(position.pointee) { position += 1 }
        return true
    }
}
