extension Span<UInt8> {
    /// Whether both texts have the same bytes. Keys are short, and a call to `memcmp` is slower.
    @inline(__always)
    func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        guard count >= 4 else { return hasSameFewBytes(as: other) }
        // Two overlapping loads cover 4 to 7 bytes.
        guard count >= 8 else { return quad(at: 0) == other.quad(at: 0) && quad(at: count &- 4) == other.quad(at: count &- 4) }
        var place = 0
        while place &+ 8 <= count {
            if lanes(at: place) != other.lanes(at: place) { return false }
            place &+= 8
        }
        return lanes(at: count &- 8) == other.lanes(at: count &- 8)
    }

    @inline(__always)
    private func hasSameFewBytes(as other: Span<UInt8>) -> Bool {
        var place = 0
        while place < count {
            if byte(at: place) != other.byte(at: place) { return false }
            place &+= 1
        }
        return true
    }
}
