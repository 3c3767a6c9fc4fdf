public import TarmacJSON

/// The typed name of a value, for code without models: what string constants were to reformed dictionaries, but a name
/// mistyped or a type mistaken does not compile.
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
    /// The steps to the value.
    public let path: JSONPath

    /// - Parameter path: the name of a member, or the steps to the value.
    public init(_ path: JSONPath.Component...) { self.path = JSONPath(path) }

    /// The steps as text, such as `$.offer.price`.
    public var description: String { path.description }
}

extension JSON {
    /// The value under a typed key.
    ///
    /// - Throws: `JSONError` that names the full path: `.missing`, `.typeMismatch` or `.notRepresentable`. A key of an
    ///   optional type gives `nil` where the value is null or missing.
    public subscript<Value: Decodable>(key: JSONKey<Value>) -> Value {
        get throws(JSONError) { try get(key.path, as: Value.self) }
    }
}
