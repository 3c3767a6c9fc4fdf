/// A value whose name alone does not decide whether it is secret.
package enum SecretValue {
    case text(Substring)
    case number
    case boolean
    case null
    /// An array or an object.
    case container

    package static func text(_ text: String) -> SecretValue { .text(text[...]) }

    /// Whether the value is a secret under a name with this answer.
    func isSecret(_ decision: NameVerdict.Decision) -> Bool {
        switch (self, decision) {
        case (.boolean, _), (.null, _): false
        case (.number, .always), (.container, .always), (.container, .unlessNumber): true
        case (.number, _), (.container, _): false
        case (.text(let text), .always), (.text(let text), .unlessNumber): !Self.isBoolean(text)
        case (.text(let text), .onlyText): !Self.isBoolean(text) && !Self.isQuantity(text)
        case (.text(let text), .codeAlone): !Self.isBoolean(text) && !Self.isCodeWord(text)
        }
    }

    private static func isBoolean(_ text: Substring) -> Bool {
        switch text.utf8.count {
        case 4: text == "true" || text == "null" || text == "True"
        case 5: text == "false" || text == "False"
        default: false
        }
    }

    /// Whether a text is a number, perhaps with a unit: `4096`, `-1`, `80%`, `12 per hour`.
    private static func isQuantity(_ text: Substring) -> Bool {
        let bytes = text.utf8
        guard bytes.count <= 24, let first = bytes.first else { return bytes.isEmpty }
        guard first &- 0x30 < 10 || first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else { return false }
        let letters = bytes.drop { $0 &- 0x30 < 10 || "+-.,_%/:;=() ".utf8.contains($0) }
        // A unit is of letters alone, so that `7f3a9c` is none.
        return letters.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == UInt8(ascii: " ") }
    }

    /// Whether the value of `code` is an error's: a word as `invalid_grant`, or a status as `404`.
    private static func isCodeWord(_ text: Substring) -> Bool {
        let bytes = text.utf8
        if bytes.count <= 3, bytes.allSatisfy({ $0 &- 0x30 < 10 }) { return true }
        return bytes.count <= 64 && bytes.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || "_-. ".utf8.contains($0) }
    }
}
