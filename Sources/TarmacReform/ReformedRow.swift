import TarmacJSON
public import TarmacCore

/// A set of values under typed keys, which a reformer can pass to a cell if no separate type is needed.
///
/// ```swift
/// var row = ReformedRow()
/// row[ProductKeys.title] = title.capitalized
/// cell.title.text = row[ProductKeys.title]
/// ```
public struct ReformedRow: Sendable {
    private var values: [JSONPath: any Sendable] = [:]

    /// Creates a row without values.
    public init() {}

    /// The value of a key, or `nil` if there is none or if it was set with another type under the same path. Setting
    /// `nil` removes the value.
    public subscript<Value: Sendable>(key: JSONKey<Value>) -> Value? {
        get { values[key.path] as? Value }
        set {
            // An optional value must be assigned with `updateValue`: assigning it to the subscript would remove the
            // entry.
            if let newValue { values.updateValue(newValue, forKey: key.path) } else { values[key.path] = nil }
        }
    }

    /// The number of values.
    public var count: Int { values.count }
    /// Whether there are no values.
    public var isEmpty: Bool { values.isEmpty }
}

extension ReformedRow: MaskedReflectable {
    /// The paths of the keys, never their values, because they may be secret.
    public var description: String { "[\(values.keys.map(\.description).ordered().joined(separator: ", "))]" }
}
