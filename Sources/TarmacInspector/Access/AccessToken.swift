#if Inspector
/// A random token that every request of the page carries. Its description does not show it.
struct AccessToken: Sendable, CustomStringConvertible, CustomReflectable {
    let text: String

    /// Makes a token of 128 random bits.
    init() {
        var generator = SystemRandomNumberGenerator()
        text = Self.hex(generator.next()) + Self.hex(generator.next())
    }

    init(text: String) { self.text = text }

    /// Whether a text is the token. The time does not depend on where they differ.
    func matches(_ other: String?) -> Bool {
        guard let other else { return false }
        let expected = Array(text.utf8), given = Array(other.utf8)
        var difference = UInt8(expected.count == given.count ? 0 : 1)
        for place in expected.indices { difference |= expected[place] ^ (place < given.count ? given[place] : 0) }
        return difference == 0
    }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    var description: String { "token" }
    var customMirror: Mirror { Mirror(self, children: [:]) }
}
#endif
