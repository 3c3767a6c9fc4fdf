/// A quick look at a name before it is folded and compared with the user's names.
package struct NameSieve: Hashable, Sendable {
    /// The lengths of the names as bits, indexed by the first two letters. Empty without names.
    private var lengths: [UInt64] = []

    package var isEmpty: Bool { lengths.isEmpty }

    package init() {}

    /// - Parameter folded: the names in the form in which they are compared.
    package init(of folded: Set<String>) {
        if folded.isEmpty { return }
        lengths = [UInt64](repeating: 0, count: 64)
        for name in folded {
            // A name that is not ASCII after folding never equals an ASCII name.
            if let (letters, length) = Self.measure(name.utf8) { lengths[letters] |= length }
        }
    }

    /// Whether a name may be one of them. `false` is certain.
    package func mayHold(_ name: String) -> Bool { mayHold(Self.measure(name.utf8)) }
    package func mayHold(_ name: Substring) -> Bool { mayHold(Self.measure(name.utf8)) }

    private func mayHold(_ measure: (letters: Int, length: UInt64)?) -> Bool {
        guard let (letters, length) = measure else { return true }
        return lengths[letters] & length != 0
    }

    /// Returns the index of the first two letters, without regard to case, and a bit for the length without `_`
    /// and `-`.
    ///
    /// `nil` for a name outside ASCII, because its folded form may equal another name.
    private static func measure(_ name: some Sequence<UInt8>) -> (letters: Int, length: UInt64)? {
        if let measure = name.withContiguousStorageIfAvailable(measureBytes) { return measure }
        return Array(name).withUnsafeBufferPointer(measureBytes)
    }

    private static func measureBytes(_ name: UnsafeBufferPointer<UInt8>) -> (letters: Int, length: UInt64)? {
        var letters = 0, length = 0
        for byte in name where byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") {
            if byte >= 0x80 { return nil }
            if length < 2 { letters ^= Int(byte & 0x1F) << length }
            length += 1
        }
        return (letters, 1 << UInt64(min(length, 63)))
    }
}
