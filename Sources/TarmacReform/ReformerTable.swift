public import TarmacCore

/// One reformer for many endpoints, a line for each: what would otherwise be a ladder of `if` that grows with every call,
/// and forgets one in silence.
///
/// ```swift
/// static let cells = ReformerTable<[Cell]>()
///     .serving(ListProducts.self, by: ProductCells())
///     .serving(ListOrders.self) { try $0.json.elements.map(Cell.init(order:)) }
/// ```
/// An endpoint it has no line for is `TarmacError(.reformingFailed)` naming the endpoint.
/// Each answer is judged as its own line needs it: as JSON where that says so.
public struct ReformerTable<Value: Sendable>: Reformer, SelectingReformer {
    private var lines: [String: any Reformer<Value>] = [:]
    private var fallback: (any Reformer<Value>)?

    /// A table without a line.
    public init() {}

    /// The table with a line for an endpoint type, found by the endpoint's name; a later line replaces an earlier one.
    public func serving<E: Endpoint>(_ endpoint: E.Type, by reformer: some Reformer<Value>) -> Self {
        serving(named: endpoint.endpointName, by: reformer)
    }

    /// The table with a line for an endpoint type.
    public func serving<E: Endpoint>(_ endpoint: E.Type, by function: @escaping @Sendable (Payload) throws -> Value) -> Self {
        serving(named: endpoint.endpointName, by: FunctionReformer(name: "function for \(endpoint.endpointName)", function))
    }

    /// The table with a line for endpoints of a name, such as `GET /users/{id}` of an inline endpoint.
    public func serving(named name: String, by reformer: some Reformer<Value>) -> Self {
        var copy = self
        copy.lines[name] = reformer
        return copy
    }

    /// The table with a reformer for every endpoint that has no line.
    public func otherwise(_ reformer: some Reformer<Value>) -> Self {
        var copy = self
        copy.fallback = reformer
        return copy
    }

    public func reform(_ payload: Payload) throws -> Value {
        guard let reformer = line(for: payload.endpoint) else {
            throw TarmacError(
                .reformingFailed, phase: .decoding, "no reformer of the table serves \(payload.endpoint)",
                suggestion: "add .serving(\(payload.endpoint).self, by: …), or .otherwise(…)")
        }
        return try reformer.value(of: payload)
    }

    package func readsJSON(of endpoint: String) -> Bool { line(for: endpoint)?.needsJSON(for: endpoint) ?? false }

    private func line(for endpoint: String) -> (any Reformer<Value>)? { lines[endpoint] ?? fallback }
}
