extension JSON {
    /// The kinds of value RFC 8259 knows.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case null, bool, number, string, array, object
    }

    /// What the value is; nil if nothing is there.
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

    /// Whether nothing stands where this was read.
    public var isMissing: Bool {
        if case .missing = node { true } else { false }
    }

    /// Whether the value was made or edited in code: it stands in no text.
    var isBuilt: Bool {
        switch node {
        case .view, .missing: false
        default: true
        }
    }

    /// What the value is, without a word of it.
    var inWords: String { kind?.inWords ?? "nothing" }

    /// Where the value stands in its document; `$` for built values, and the place it was taken from for a document's value
    /// that was put into a built one. Costs a walk over what precedes it.
    public var path: JSONPath {
        switch node {
        case .view(let storage, let index): storage.tape.path(to: index)
        case .missing(let missing): missing.path
        default: JSONPath()
        }
    }
}

extension JSON.Kind {
    /// With an article.
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
