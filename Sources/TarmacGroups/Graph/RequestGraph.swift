public import TarmacCore

/// Calls that need each other's values, as a value to run, to start for an owner, or to hold.
///
/// ```swift
/// var graph = RequestGraph()
/// let me = graph.add(GetUser(id: 7))
/// let avatar = graph.add(after: me) { GetImage(name: $0.avatar) }
/// let flown = try await graph.run(on: client, limit: 4)
/// show(try flown[avatar])
/// ```
/// Nodes that need nothing of each other fly at once. A node that fails fails only those that need it: they are not
/// flown, and their error is `TarmacError(.dependencyFailed)` with the failure as its cause. A cancelled graph cancels every
/// node and throws `CancellationError`. An empty graph lands at once.
///
/// A node can only be added after nodes that are there, so there are no cycles. A node of another graph, a limit below one
/// and more than 10,000 nodes are refused with `TarmacError(.invalidGroup)` before anything takes off.
public struct RequestGraph: CallGroup {
    /// A node, and the type it lands as. It belongs to the graph that made it and to copies made afterwards.
    public struct Node<Value: Sendable>: Hashable, Sendable {
        let identity: GraphNode.Identity
        let index: Int
    }

    /// How many nodes fly at once. Default `nil`: as many as can.
    public var limit: Int?
    public var settings = GroupSettings()
    private(set) var nodes: [GraphNode] = []
    /// Why the graph cannot fly.
    private var fault: TarmacError?
    private let call: Options

    /// - Parameter configure: the call's own layer of settings, for every node that is a call.
    public init(limit: Int? = nil, configure: (inout Options) -> Void = { _ in }) {
        self.limit = limit
        call = Options(configure)
    }

    /// How many nodes there are.
    public var count: Int { nodes.count }

    /// Flies the graph and returns when its last node has ended, whatever became of them.
    ///
    /// - Throws: `TarmacError(.invalidGroup)` before anything takes off, or `CancellationError`. A node's failure is no
    ///   failure of the graph: ``FlownGraph`` has it.
    public func run(on client: Client, progress: (@Sendable (GroupProgress) -> Void)?) async throws -> FlownGraph {
        if let fault { throw fault }
        try GroupLimits.check(limit, .graph)
        if nodes.isEmpty { try client.engine.landEmpty(progress) }
        return try await client.flying(.graph, settings, name: "graph of \(count)") { client in
            try await GraphFlight(nodes, limit: limit, run: GroupRun(client, call: call, progress: progress)).fly()
        }
    }

    /// The same with another limit.
    public func run(
        on client: Client, limit: Int?, progress: (@Sendable (GroupProgress) -> Void)? = nil
    ) async throws -> FlownGraph {
        var copy = self
        copy.limit = limit
        return try await copy.run(on: client, progress: progress)
    }

    /// The graph as a Mermaid flowchart.
    public var mermaid: String { GraphChart(nodes).text }
}

// MARK: Adding

extension RequestGraph {
    mutating func add<Value>(
        _ name: String, after dependencies: [(identity: GraphNode.Identity, index: Int)],
        make: @escaping @Sendable (GraphInputs) async throws -> GroupMember
    ) -> Node<Value> {
        let node = GraphNode(name: name, dependencies: dependencies.map(\.index), make: make)
        if !dependencies.allSatisfy({ has($0.identity, at: $0.index) }) {
            fault = fault ?? Self.foreign(neededBy: name)
        } else if nodes.count >= GroupLimits.members {
            fault = fault ?? Self.tooLarge
        } else {
            nodes.append(node)
            return Node(identity: node.identity, index: nodes.count - 1)
        }
        return Node(identity: node.identity, index: -1)
    }

    private func has(_ identity: GraphNode.Identity, at index: Int) -> Bool {
        nodes.indices.contains(index) && nodes[index].identity === identity
    }

    private static func foreign(neededBy name: String) -> TarmacError {
        TarmacError(
            .invalidGroup, "the node \(name) was added after a node that is not in this graph",
            suggestion: "add nodes after those the same graph returned")
    }

    private static var tooLarge: TarmacError {
        TarmacError(.invalidGroup, "the graph has more than \(GroupLimits.members) nodes", suggestion: "split it")
    }
}
