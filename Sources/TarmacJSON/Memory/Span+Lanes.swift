/// Reads of a text that cannot leave it, whatever the position: what every scanner of this module is made of.
///
/// SAFETY: each read compares its position with the bounds first, in the condition a scanner's loop needs anyway, and a
/// read beyond them gives NUL or nil. Every bit pattern is a valid integer.
extension Span<UInt8> {
    /// The byte at `position`. Beyond the end NUL, which JSON has neither between values nor inside them.
    @inline(__always)
    func byte(at position: Int) -> UInt8 {
        // As unsigned numbers, negative positions are beyond the end as well.
        UInt(bitPattern: position) < UInt(bitPattern: count) ? unsafe self[unchecked: position] : 0
    }

    /// The eight bytes from `position` on, the first lowest; nil if there are fewer.
    @inline(__always)
    func lanes(at position: Int) -> UInt64? {
        guard has(8, at: position) else { return nil }
        return UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self))
    }

    /// The four bytes from `position` on, the first lowest; nil if there are fewer.
    @inline(__always)
    func quad(at position: Int) -> UInt32? {
        guard has(4, at: position) else { return nil }
        return UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt32.self))
    }

    /// Whether `number` bytes stand from `position` on: one comparison, as what it is compared with does not change in a loop.
    @inline(__always)
    private func has(_ number: Int, at position: Int) -> Bool {
        UInt(bitPattern: position) < UInt(bitPattern: max(count &- (number &- 1), 0))
    }
}
