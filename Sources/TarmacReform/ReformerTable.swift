public import TarmacCore

/// A reformer that selects another reformer by the endpoint. It replaces a chain of `if` statements, which can silently
/// miss an endpoint.
///
/// ```swift
/// static let cells = ReformerTable<[Cell]>()
///     .serving(ListProducts.self, by: ProductCells())
///     .serving(ListOrders.self) { try $0.json.elements.map(Cell.init(order:)) }
/// ```
/// An endpoint without an entry fails with `TarmacError(.reformingFailed)`, which names the endpoint. Each response is
/// judged as its own reformer needs it.
public struct ReformerTable<Value: Sendable>: Reformer, SelectingReformer {
    private var lines: [String: any Reformer<Value>] = [:]
    private var fallback: (any Reformer<Value>)?

    /// Creates an empty table.
    public init() {}

    /// Returns the table with an entry for an endpoint type. Entries are found by the endpoint's name; a later entry
    /// replaces an earlier one.
    public func serving<E: Endpoint>(_ endpoint: E.Type, by reformer: some Reformer<Value>) -> Self {
        serving(named: endpoint.endpointName, by: reformer)
    }

    /// Returns the table with an entry for an endpoint type.
    public func serving<E: Endpoint>(_ endpoint: E.Type, by function: @escaping @Sendable (Payload) throws -> Value) -> Self {
        serving(named: endpoint.endpointName, by: FunctionReformer(name: "function for \(endpoint.endpointName)", function))
    }

    /// Returns the table with an entry for the endpoints with a name, such as `GET /users/{id}` of an inline endpoint.
    public func serving(named name: String, by reformer: some Reformer<Value>) -> Self {
        var copy = self
        copy.lines[name] = reformer
        return copy
    }

    /// Returns the table with a reformer for every endpoint without an entry.
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
