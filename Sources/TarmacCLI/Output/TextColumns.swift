#if Tools
extension String {
    /// The columns of a terminal that the text takes. Characters that are wide in Unicode's East Asian Width (UAX #11) take two.
    var columns: Int { reduce(0) { $0 + ($1.unicodeScalars.first.map(Self.isWide) == true ? 2 : 1) } }

    /// The text with spaces behind it up to a width, at least one.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - columns)) }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool { wide.contains { $0.contains(scalar.value) } }
}
#endif
