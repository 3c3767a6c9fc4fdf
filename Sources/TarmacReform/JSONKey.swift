public import TarmacJSON

/// A typed key of a value, for code without models. Unlike a string constant, it does not compile with a wrong name or
/// type.
///
/// ```swift
/// enum ProductKeys {
///     static let title = JSONKey<String>("title")
///     static let price = JSONKey<Double>("offer", "price")      // a path
///     static let note = JSONKey<String?>("note")                // may be missing or null
/// }
/// let title = try row[ProductKeys.title]                         // of JSON: throws, naming the path
/// let shown = cell[ProductKeys.title]                            // of a ReformedRow: optional
/// ```
public struct JSONKey<Value>: Sendable, CustomStringConvertible {
    /// The path to the value.
    public let path: JSONPath

    /// Creates a key.
    ///
    /// - Parameter path: the name of a member, or the steps to the value.
    public init(_ path: JSONPath.Component...) { self.path = JSONPath(path) }

    /// The path as text, such as `$.offer.price`.
    public var description: String { path.description }
}

extension JSON {
    /// The value of a typed key.
    ///
    /// - Throws: `JSONError` with the full path: `.missing`, `.typeMismatch` or `.notRepresentable`. A key of an
    ///   optional type returns `nil` if the value is null or missing.
    public subscript<Value: Decodable>(key: JSONKey<Value>) -> Value {
        get throws(JSONError) { try get(key.path, as: Value.self) }
    }
}
