public import TarmacCore

/// A reformer made of a function of a model that the payload is decoded into first: the wire's type on one side, the
/// screen's on the other.
///
/// ```swift
/// let cells = try await client.send(ListProducts(page: 1), reformedBy: ModelReformer { (page: Page) in page.items.map(Cell.init) })
/// ```
public struct ModelReformer<Model: Decodable & Sendable, Value: Sendable>: Reformer {
    private let function: @Sendable (Model) throws -> Value

    /// - Parameter function: makes the value; what it may throw is said at ``Reformer/reform(_:)``.
    public init(_ function: @escaping @Sendable (Model) throws -> Value) { self.function = function }

    public func reform(_ payload: Payload) throws -> Value { try function(payload.decode(Model.self)) }
}
