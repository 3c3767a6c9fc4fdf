import TarmacJSON

/// Reformed values under typed keys: what a reformer hands to a cell when no type is worth writing for it.
///
/// ```swift
/// var row = ReformedRow()
/// row[ProductKeys.title] = title.capitalized
/// cell.title.text = row[ProductKeys.title]
/// ```
public struct ReformedRow: Sendable {
    private var values: [JSONPath: any Sendable] = [:]

    /// A row without a value.
    public init() {}

    /// The value under a key; `nil` when there is none, or one of another type that was set under a key of the same path.
    /// Setting `nil` removes it.
    public subscript<Value: Sendable>(key: JSONKey<Value>) -> Value? {
        get { values[key.path] as? Value }
        set {
            // Assigned through a `let`, an optional value would be taken for the entry's absence.
            if let newValue { values.updateValue(newValue, forKey: key.path) } else { values[key.path] = nil }
        }
    }

    /// How many values there are.
    public var count: Int { values.count }
    /// Whether there is no value.
    public var isEmpty: Bool { values.isEmpty }
}

extension ReformedRow: CustomStringConvertible, CustomReflectable {
    /// The paths of the keys; never a value, which may be a secret.
    public var description: String { "[\(values.keys.map(\.description).sorted().joined(separator: ", "))]" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
