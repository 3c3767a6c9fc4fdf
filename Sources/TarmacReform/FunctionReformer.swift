public import TarmacCore

/// A reformer made from a function.
///
/// ```swift
/// func titles(_ payload: Payload) throws -> [String] { try payload.json["items"].elements.map { try $0.get("title") } }
///
/// let titles = try await client.send(ListProducts(page: 1).reformed(by: titles))
/// ```
/// For functions of the JSON or of a model, see ``JSONReformer`` and ``ModelReformer``.
public struct FunctionReformer<Value: Sendable>: Reformer, NamedReformer {
    let name: String
    public let needsJSON: Bool
    private let function: @Sendable (Payload) throws -> Value

    /// Creates a reformer.
    ///
    /// - Parameters:
    ///   - name: the name in errors. Default: `function`.
    ///   - needsJSON: see ``Reformer/needsJSON``. Default: `false`.
    ///   - function: makes the value. For its errors, see ``Reformer/reform(_:)``.
    public init(name: String = "function", needsJSON: Bool = false, _ function: @escaping @Sendable (Payload) throws -> Value) {
        self.name = name
        self.needsJSON = needsJSON
        self.function = function
    }

    public func reform(_ payload: Payload) throws -> Value { try function(payload) }
}
