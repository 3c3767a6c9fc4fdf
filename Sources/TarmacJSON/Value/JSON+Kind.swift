extension JSON {
    /// The kinds of values in RFC 8259.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case null, bool, number, string, array, object
    }

    /// The kind of the value; nil if it is missing.
    public var kind: Kind? {
        switch node {
        case .view(let storage, let index): Kind(storage.tape[index].kind)
        case .null: .null
        case .bool: .bool
        case .int, .uint, .double, .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        case .missing: nil
        }
    }

    /// Whether the value is `null`. A missing value is not.
    public var isNull: Bool { kind == .null }

    /// Whether the value is missing.
    public var isMissing: Bool {
        if case .missing = node { true } else { false }
    }

    /// Whether the value was created or edited in code, so that it has no text.
    var isBuilt: Bool {
        switch node {
        case .view, .missing: false
        default: true
        }
    }

    /// The kind of the value in words, without its content.
    var inWords: String { kind?.inWords ?? "nothing" }

    /// The path of the value in its document. It is `$` for built values, and the old path for a document's value that
    /// was put into a built one. Costs a walk over the preceding values.
    public var path: JSONPath {
        switch node {
        case .view(let storage, let index): storage.tape.path(to: index)
        case .missing(let missing): missing.path
        default: JSONPath()
        }
    }
}

extension JSON.Kind {
    /// The kind with an article.
    var inWords: String {
        switch self {
        case .null: "null"
        case .bool, .number, .string: "a \(rawValue)"
        case .array, .object: "an \(rawValue)"
        }
    }

    init(_ kind: TapeWord.Kind) {
        switch kind {
        case .null: self = .null
        case .false, .true: self = .bool
        case .integer, .decimal: self = .number
        case .string, .escapedString: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}
