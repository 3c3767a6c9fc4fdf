extension JSONError {
    /// The kinds of fault. More may come: switch with a default.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        // Text that is not JSON.
        case unexpectedCharacter, unexpectedEnd, invalidNumber, invalidEscape, invalidUTF8, controlCharacter
        /// A `\uD800`–`\uDFFF` without its partner (RFC 8259 §8.2).
        case loneSurrogate
        /// The text begins with a byte order mark (RFC 8259 §8.1).
        case byteOrderMark
        /// Something other than whitespace follows the root value.
        case trailingContent

        // Limits of `JSONDocument.Options`.
        case depthExceeded, sizeExceeded, indexExceeded

        // Values.
        /// Nothing stands at the path.
        case missing
        /// A value of another kind stands at the path.
        case typeMismatch
        /// The number does not fit the type asked for, or the text does not denote what was asked for.
        case notRepresentable
        /// The value breaks a ``Shape``.
        case shapeMismatch

        /// The same in words.
        var phrase: String {
            switch self {
            case .invalidUTF8: "invalid UTF-8"
            default: rawValue.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
            }
        }
    }
}
