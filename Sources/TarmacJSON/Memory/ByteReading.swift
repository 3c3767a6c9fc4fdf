/// The way to read the next byte of a number.
protocol ByteReading {
    static func byte(_ text: Span<UInt8>, at position: Int) -> UInt8
}

/// For any text: every read is compared with the end, beyond which is NUL.
enum CheckedReading: ByteReading {
    @inline(__always)
    static func byte(_ text: Span<UInt8>, at position: Int) -> UInt8 { text.byte(at: position) }
}

/// For numbers in texts whose last byte is a closing bracket, as in every complete object or array. Comparing each
/// digit's position took a fifth of indexing numbers.
///
/// SAFETY: `NumberScanner` starts at a byte that was read with a check and is a sign or a digit, and advances only over
/// signs, digits, points and exponents' letters. None of them is the last byte, so the next one exists; the bracket stops
/// every scan. `Indexer.run` alone chooses this type, by the last byte; debug builds compare every place.
enum BracketedReading: ByteReading {
    @inline(__always)
    static func byte(_ text: Span<UInt8>, at position: Int) -> UInt8 {
        assert(text.indices.contains(position))
        return unsafe text[unchecked: position]
    }
}
