/// Reads of a text that stay within its bounds at any position. Every scanner of this module uses them.
///
/// SAFETY: each read compares its position with the bounds first, in the condition a scanner's loop needs anyway, and a
/// read beyond them gives NUL or nil. Every bit pattern is a valid integer.
extension Span<UInt8> {
    /// Returns the byte at `position`. Beyond the end it is NUL, which JSON has neither between values nor inside them.
    @inline(__always)
    func byte(at position: Int) -> UInt8 {
        // As unsigned numbers, negative positions are beyond the end as well.
        UInt(bitPattern: position) < UInt(bitPattern: count) ? unsafe self[unchecked: position] : 0
    }

    /// Returns the eight bytes from `position`, the first lowest; nil if there are fewer.
    @inline(__always)
    func lanes(at position: Int) -> UInt64? {
        guard has(8, at: position) else { return nil }
        return UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self))
    }

    /// Returns the four bytes from `position`, the first lowest; nil if there are fewer.
    @inline(__always)
    func quad(at position: Int) -> UInt32? {
        guard has(4, at: position) else { return nil }
        return UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt32.self))
    }

    /// Whether there are `number` bytes from `position`: one comparison with a value that is constant in a loop.
    @inline(__always)
    private func has(_ number: Int, at position: Int) -> Bool {
        UInt(bitPattern: position) < UInt(bitPattern: max(count &- (number &- 1), 0))
    }
}
