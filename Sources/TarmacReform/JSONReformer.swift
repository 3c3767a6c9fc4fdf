public import TarmacJSON
public import TarmacCore

/// A reformer made from a function of the payload's JSON: that of the envelope's payload, or of the whole body if there
/// is no envelope.
///
/// ```swift
/// let count = try await client.send(ListProducts(page: 1).reformed(by: JSONReformer { $0["items"].count }))
/// ```
/// The response must be JSON, whatever value the endpoint has.
public struct JSONReformer<Value: Sendable>: Reformer {
    private let function: @Sendable (JSON) throws -> Value

    /// Creates a reformer.
    ///
    /// - Parameter function: makes the value. For its errors, see ``Reformer/reform(_:)``.
    public init(_ function: @escaping @Sendable (JSON) throws -> Value) { self.function = function }

    public var needsJSON: Bool { true }
    public func reform(_ payload: Payload) throws -> Value { try function(payload.json) }
}
