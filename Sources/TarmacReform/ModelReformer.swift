public import TarmacCore

/// A reformer made from a function of a decoded model: the type of the wire goes in, the type of the screen comes out.
///
/// ```swift
/// let cells = try await client.send(ListProducts(page: 1).reformed(by: ModelReformer { (page: Page) in page.items.map(Cell.init) }))
/// ```
public struct ModelReformer<Model: Decodable & Sendable, Value: Sendable>: Reformer {
    private let function: @Sendable (Model) throws -> Value

    /// Creates a reformer.
    ///
    /// - Parameter function: makes the value. For its errors, see ``Reformer/reform(_:)``.
    public init(_ function: @escaping @Sendable (Model) throws -> Value) { self.function = function }

    public func reform(_ payload: Payload) throws -> Value { try function(payload.decode(Model.self)) }
}
