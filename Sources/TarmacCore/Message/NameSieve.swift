import HTTPTypes
import TarmacJSON

/// Tells by the first two letters and the length of a name that it is none of the secret ones: nearly every name is not, and is
/// not folded and hashed for it.
struct NameSieve: Hashable, Sendable {
    /// By the first two letters: a bit for each length.
    private var lengths = [UInt64](repeating: 0, count: 64)

    /// - Parameter folded: as they are compared.
    init(of headers: Set<HTTPField.Name>, _ folded: Set<String>) {
        for name in headers { add(name.canonicalName) }
        for name in folded { add(name) }
    }

    /// Whether a name may be one of them; `false` is certain.
    func mayHold(_ name: some StringProtocol) -> Bool {
        guard let (letters, length) = Self.measure(name.utf8) else { return true }
        return lengths[letters] & length != 0
    }

    private mutating func add(_ name: String) {
        // What is not ASCII even when it is folded is no ASCII name's equal.
        guard let (letters, length) = Self.measure(name.utf8) else { return }
        lengths[letters] |= length
    }

    /// A place for the first two letters, whatever their case, and a bit for the length without `_` and `-`; `nil` for what is not
    /// ASCII, whose folded form may be another's.
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
