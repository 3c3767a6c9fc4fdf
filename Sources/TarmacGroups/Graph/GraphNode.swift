/// A node of a graph: its dependencies, and how its call is made.
struct GraphNode: Sendable {
    /// The identity of a graph's nodes, which differs between graphs and between copies that were changed separately.
    final class Identity: Hashable, Sendable {
        static func == (left: Identity, right: Identity) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    let identity = Identity()
    let name: String
    /// The indices of the nodes whose values it needs, all below its own.
    let dependencies: [Int]
    let make: @Sendable (GraphInputs) async throws -> GroupMember

    init(name: String, dependencies: [Int], make: @escaping @Sendable (GraphInputs) async throws -> GroupMember) {
        self.name = name
        self.dependencies = dependencies
        self.make = make
    }
}

/// The values that a node needs, in the order in which it named their nodes.
struct GraphInputs: Sendable {
    private let values: [any Sendable]
    private var index = 0

    init(_ values: [any Sendable]) { self.values = values }

    mutating func next<Value>(as type: Value.Type) -> Value {
        defer { index += 1 }
        return ChainResults.cast(values[index], to: type)
    }

    func all<Value>(as type: Value.Type) -> [Value] { values.map { ChainResults.cast($0, to: type) } }
}
