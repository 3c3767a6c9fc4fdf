@_spi(TarmacRooms) public import TarmacCore

/// A group of works that depend on each other's values.
///
/// ```swift
/// var graph = RequestGraph(limit: 4)
/// let me = graph.add(GetUser(id: 7))
/// let avatar = graph.add(after: me) { GetImage(name: $0.avatar) }
/// let flown = try await client.send(graph)
/// show(try flown[avatar])
/// ```
/// Nodes that do not depend on each other run at the same time. If a node fails, only the nodes that depend on it fail:
/// they are not run, and their error is `TarmacError(.dependencyFailed)` with the failure as its cause. Cancelling a
/// graph cancels every node and throws `CancellationError`. An empty graph returns immediately.
///
/// A node can depend only on nodes that were added before, so there are no cycles. A node of another graph, a limit
/// below one, or more than 10,000 nodes cause `TarmacError(.invalidGroup)` before anything is sent.
///
/// The graph ends when its last node has ended, with or without failures. The failure of a node is not an error of the
/// graph; ``GraphResults`` contains it.
public struct RequestGraph: Work {
    public typealias Value = GraphResults
    public typealias WorkProgress = GroupProgress

    /// A node and the type of its value. It belongs to the graph that made it and to later copies of that graph.
    public struct Node<Value: Sendable>: Hashable, Sendable {
        let identity: GraphNode.Identity
        let index: Int
    }

    /// The maximum number of nodes that run at the same time. Default: `nil`, no limit.
    public var limit: Int?
    /// The settings of the graph as a whole. Its calls have their own settings.
    public var settings = GroupSettings()
    private(set) var nodes: [GraphNode] = []
    /// The reason why the graph is invalid.
    private var fault: TarmacError?
    private let call: Options

    /// Creates an empty graph.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of nodes that run at the same time. Default: `nil`, no limit.
    ///   - configure: changes the settings of every node's call.
    public init(limit: Int? = nil, configure: (inout Options) -> Void = { _ in }) {
        self.limit = limit
        call = Options(configure)
    }

    /// The number of nodes.
    public var count: Int { nodes.count }

    /// Returns the graph with changed settings.
    public func with(_ configure: (inout GroupSettings) -> Void) -> Self { settings.changed(self, \.settings, configure) }

    public var _plan: WorkPlan<GraphResults, GroupProgress> {
        WorkPlan(name) { _ in
            settings.traits
        } perform: { run, progress in
            if let fault { throw fault }
            try GroupLimits.check(limit, .graph)
            if nodes.isEmpty { try run.engine.landEmpty(progress) }
            return try await run.flying(.graph, settings, name: name) { client in
                try await GraphFlight(nodes, limit: limit, run: GroupRun(run, client, call: call, progress: progress)).fly()
            }
        }
    }

    private var name: String { settings.name ?? "graph of \(count)" }

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
