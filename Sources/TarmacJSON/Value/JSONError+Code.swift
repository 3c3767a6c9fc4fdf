extension JSONError {
    /// The kinds of errors. Later versions may add cases: keep a `default`.
    package enum Code: String, Sendable, Hashable, CaseIterable {
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
        /// There is no value at the path.
        case missing
        /// The value at the path is of another kind.
        case typeMismatch
        /// The number does not fit the requested type, or the text is not a valid value of it.
        case notRepresentable
        /// The value does not match a ``Shape``.
        case shapeMismatch

        /// The code in words.
        var phrase: String {
            switch self {
            case .invalidUTF8: "invalid UTF-8"
            default: rawValue.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
            }
        }
    }
}
