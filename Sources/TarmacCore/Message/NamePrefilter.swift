import HTTPTypes
import TarmacJSON

/// A fast test that a name is not secret, by its first two letters and its length.
///
/// Nearly every name is not secret, and the test saves its folding and hashing.
struct NamePrefilter: Hashable, Sendable {
    /// The lengths of the secret names as bits, indexed by the first two letters.
    private var lengths = [UInt64](repeating: 0, count: 64)

    /// - Parameter folded: the secret names in the form in which they are compared.
    init(of headers: Set<HTTPField.Name>, _ folded: Set<String>) {
        for name in headers { add(name.canonicalName) }
        for name in folded { add(name) }
    }

    /// Whether a name may be secret. `false` is certain.
    func mayHold(_ name: some StringProtocol) -> Bool {
        guard let (letters, length) = Self.measure(name.utf8) else { return true }
        return lengths[letters] & length != 0
    }

    private mutating func add(_ name: String) {
        // A name that is not ASCII after folding never equals an ASCII name.
        guard let (letters, length) = Self.measure(name.utf8) else { return }
        lengths[letters] |= length
    }

    /// Returns the index of the first two letters, without regard to case, and a bit for the length without `_`
    /// and `-`.
    ///
    /// `nil` for a name outside ASCII, because its folded form may equal another name.
    private static func measure(_ name: some Sequence<UInt8>) -> (letters: Int, length: UInt64)? {
        var letters = 0, length = 0
        for byte in name where byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") {
            if byte >= 0x80 { return nil }
            if length < 2 { letters ^= Int(byte & 0x1F) << length }
            length += 1
        }
        return (letters, 1 << UInt64(min(length, 63)))
    }
}
