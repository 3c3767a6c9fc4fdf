public import TarmacJSON
public import TarmacCore

/// A reformer made of a function of the payload's JSON: of the envelope's payload, or of the whole body without one.
///
/// ```swift
/// let count = try await client.send(ListProducts(page: 1), reformedBy: JSONReformer { $0["items"].count })
/// ```
/// The answer is judged as JSON, whatever the endpoint lands as.
public struct JSONReformer<Value: Sendable>: Reformer {
    private let function: @Sendable (JSON) throws -> Value

    /// - Parameter function: makes the value; what it may throw is said at ``Reformer/reform(_:)``.
    public init(_ function: @escaping @Sendable (JSON) throws -> Value) { self.function = function }

    public var needsJSON: Bool { true }
    public func reform(_ payload: Payload) throws -> Value { try function(payload.json) }
}
