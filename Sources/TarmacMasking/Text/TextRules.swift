/// The rules of ``SecretText``. A test takes one out to see that it is needed.
struct TextRules: OptionSet, Sendable {
    let rawValue: UInt16

    /// Values that are secrets elsewhere.
    static let known = TextRules(rawValue: 1 << 0)
    /// Keys, tokens and card numbers, by their shape.
    static let shapes = TextRules(rawValue: 1 << 1)
    /// `https://user:password@host`.
    static let addresses = TextRules(rawValue: 1 << 2)
    /// `name=value`.
    static let pairs = TextRules(rawValue: 1 << 3)
    /// `name%3Dvalue`.
    static let encodedPairs = TextRules(rawValue: 1 << 4)
    /// `"name": value`, also escaped or percent-encoded.
    static let members = TextRules(rawValue: 1 << 5)
    /// `name: value`.
    static let lines = TextRules(rawValue: 1 << 6)
    /// `<name>value</name>`.
    static let elements = TextRules(rawValue: 1 << 7)
    /// `name="token" value="…"`.
    static let attributes = TextRules(rawValue: 1 << 8)
    /// `--name value` and `-u user:password`.
    static let options = TextRules(rawValue: 1 << 9)

    static let all = TextRules(rawValue: (1 << 10) - 1)
    static let each: [TextRules] = (0..<10).map { TextRules(rawValue: 1 << $0) }
}
