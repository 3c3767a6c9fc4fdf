public import TarmacCore

/// A reformer made of a plain function.
///
/// ```swift
/// func titles(_ payload: Payload) throws -> [String] { try payload.json["items"].elements.map { try $0.get("title") } }
///
/// let titles = try await client.send(ListProducts(page: 1), reformedBy: titles)
/// ```
/// See ``JSONReformer`` and ``ModelReformer`` for functions of less than the payload.
public struct FunctionReformer<Value: Sendable>: Reformer, NamedReformer {
    let name: String
    public let needsJSON: Bool
    private let function: @Sendable (Payload) throws -> Value

    /// - Parameters:
    ///   - name: what errors call it. Default: `function`.
    ///   - needsJSON: see ``Reformer/needsJSON``. Default `false`.
    ///   - function: makes the value; what it may throw is said at ``Reformer/reform(_:)``.
    public init(name: String = "function", needsJSON: Bool = false, _ function: @escaping @Sendable (Payload) throws -> Value) {
        self.name = name
        self.needsJSON = needsJSON
        self.function = function
    }

    public func reform(_ payload: Payload) throws -> Value { try function(payload) }
}
