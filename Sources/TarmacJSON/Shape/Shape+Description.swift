extension Shape: CustomStringConvertible {
    /// The shape as one reads it: `{id: integer, nick?: string, tags: [string]}`; `?` after a key: may be
    /// missing or null; `?` after a shape: may be null; `!` after a brace: nothing else.
    public var description: String { Self.description(rule) }

    private static func description(_ rule: Rule) -> String {
        switch rule {
        case .any: "anything"
        case .kind(let kind): kind.rawValue
        case .integer(nil): "integer"
        case .integer(let range?): "integer in " + Self.text(range)
        case .number(nil): "number"
        case .number(let range?): "number in \(range.lowerBound)…\(range.upperBound)"
        case .array(let element, let count):
            "[\(element)]" + (count.map { " of \($0.lowerBound)…\($0.upperBound)" } ?? "")
        case .object(let members, let isClosed): Self.text(members) + (isClosed ? "!" : "")
        case .map(let value): "{*: \(value)}"
        case .values(let values): values.map(\.description).joined(separator: " | ")
        case .alternatives(let shapes): shapes.map(\.description).joined(separator: " | ")
        case .nullable(let shape), .optional(let shape): shape.grouped + "?"
        }
    }

    private static func text(_ range: ClosedRange<Int64>) -> String {
        range.upperBound == .max ? "\(range.lowerBound)…" : "\(range.lowerBound)…\(range.upperBound)"
    }

    private static func text(_ members: [Member]) -> String {
        guard !members.isEmpty else { return "object" }
        let parts = members.map { member in
            if case .optional(let shape) = member.shape.rule { return "\(member.key)?: \(shape)" }
            return "\(member.key): \(member.shape)"
        }
        return "{" + parts.joined(separator: ", ") + "}"
    }

    private var grouped: String {
        switch rule {
        case .values, .alternatives: "(\(description))"
        default: description
        }
    }

    /// What an error says was expected: the outermost layer only.
    var summary: String { Self.summary(rule) }

    static func summary(_ rule: Rule) -> String {
        switch rule {
        case .array: "array"
        case .object, .map: "object"
        case .alternatives(let shapes): shapes.map(\.summary).joined(separator: " or ")
        case .nullable(let shape), .optional(let shape): shape.summary + " or null"
        default: description(rule)
        }
    }
}
