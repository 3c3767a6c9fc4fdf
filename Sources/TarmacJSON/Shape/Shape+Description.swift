extension Shape: CustomStringConvertible {
    /// The shape as text: `{id: integer, nick?: string, tags: [string]}`. `?` after a key means missing or null, `?`
    /// after a shape means null, and `!` after a brace means no other members.
    public var description: String { Self.description(rule) }

    private static func description(_ rule: Rule) -> String {
        switch rule {
        case .any: "anything"
        case .kind(let kind): kind.rawValue
        case .integer(nil): "integer"
        case .integer(let range?): "integer in \(range.lowerBound)…\(range.upperBound)"
        case .integerFrom(let lower): "integer in \(lower)…"
        case .number(nil): "number"
        case .number(let range?): "number in \(range.lowerBound)…\(range.upperBound)"
        case .array(let element, let count):
            "[\(element)]" + (count.map { " of " + Self.text(Int64($0.lowerBound), Int64($0.upperBound)) } ?? "")
        case .object(let members, let isClosed): Self.text(members) + (isClosed ? "!" : "")
        case .map(let value): "{*: \(value)}"
        case .values(let values): values.isEmpty ? "nothing" : values.map(\.description).joined(separator: " | ")
        case .alternatives(let shapes): shapes.isEmpty ? "nothing" : shapes.map(\.description).joined(separator: " | ")
        case .nullable(let shape), .optional(let shape): shape.grouped + "?"
        }
    }

    /// Returns the bounds of a count as text.
    static func text(_ lower: Int64, _ upper: Int64) -> String {
        if lower == upper { return "\(lower)" }
        return upper == .max ? "\(lower)…" : "\(lower)…\(upper)"
    }

    private static func text(_ members: [Member]) -> String {
        guard !members.isEmpty else { return "object" }
        let parts = members.map { member in
            let key = JSONPath.isPlain(member.key) ? member.key : JSONWriter.quoted(member.key)
            return member.shape.mayBeMissing ? "\(key)?: \(member.shape.present)" : "\(key): \(member.shape)"
        }
        return "{" + parts.joined(separator: ", ") + "}"
    }

    /// Whether a member of this shape may be missing.
    private var mayBeMissing: Bool {
        switch rule {
        case .optional: true
        case .nullable(let shape): shape.mayBeMissing
        default: false
        }
    }

    /// The shape without the optionality that `?` after a key expresses.
    private var present: Shape {
        switch rule {
        case .optional(let shape), .nullable(let shape): shape.present
        default: self
        }
    }

    private var grouped: String {
        switch rule {
        case .values, .alternatives: "(\(description))"
        default: description
        }
    }

    /// The expected shape for an error: only the outermost level.
    var summary: String { Self.summary(rule) }

    static func summary(_ rule: Rule) -> String {
        switch rule {
        case .array: "array"
        case .object, .map: "object"
        case .alternatives(let shapes): shapes.isEmpty ? "nothing" : once(shapes.map(\.summary)).joined(separator: " or ")
        case .nullable(let shape), .optional(let shape): shape.summary + " or null"
        default: description(rule)
        }
    }

    private static func once(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }
}
