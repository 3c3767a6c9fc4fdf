extension URITemplate {
    /// The effect of an operator, one column of the table in RFC 6570 Appendix A.
    struct Operation: Sendable {
        /// The character before the first defined variable.
        let first: UInt8?
        let separator: UInt8
        /// Whether the name of the variable precedes its value.
        let isNamed: Bool
        /// Whether an empty value of a named variable keeps its `=`.
        let keepsEquals: Bool
        /// Whether reserved characters and percent-encoded triplets of a value stay unchanged.
        let allowsReserved: Bool
        /// Whether a variable in the path must be defined (strict expansion only).
        let isRequired: Bool

        static let simple = Operation(nil, ",", isRequired: true)
        static let reserved = Operation(nil, ",", allowsReserved: true, isRequired: true)
        static let fragment = Operation("#", ",", allowsReserved: true)
        static let label = Operation(".", ".")
        static let path = Operation("/", "/")
        static let parameter = Operation(";", ";", isNamed: true)
        static let query = Operation("?", "&", isNamed: true, keepsEquals: true)
        static let continuation = Operation("&", "&", isNamed: true, keepsEquals: true)

        private init(
            _ first: Unicode.Scalar?, _ separator: Unicode.Scalar, isNamed: Bool = false, keepsEquals: Bool = false,
            allowsReserved: Bool = false, isRequired: Bool = false
        ) {
            self.first = first.map { UInt8(ascii: $0) }
            self.separator = UInt8(ascii: separator)
            self.isNamed = isNamed
            self.keepsEquals = keepsEquals
            self.allowsReserved = allowsReserved
            self.isRequired = isRequired
        }

        /// Makes the operator for a character. `nil` if the character is not an operator.
        init?(_ character: UInt8) {
            switch character {
            case UInt8(ascii: "+"): self = .reserved
            case UInt8(ascii: "#"): self = .fragment
            case UInt8(ascii: "."): self = .label
            case UInt8(ascii: "/"): self = .path
            case UInt8(ascii: ";"): self = .parameter
            case UInt8(ascii: "?"): self = .query
            case UInt8(ascii: "&"): self = .continuation
            default: return nil
            }
        }

        /// Whether the path ends before the expression.
        var endsPath: Bool { first == UInt8(ascii: "?") || first == UInt8(ascii: "&") || first == UInt8(ascii: "#") }
    }
}
