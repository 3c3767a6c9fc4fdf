public import TarmacCore

/// The results of the nodes of a graph.
public struct GraphResults: Sendable {
    private let nodes: [GraphNode]
    private var names: [String]
    private var outcomes: [Result<any Sendable, any Error>?]
    /// The errors of the nodes that failed themselves, in the order of failure. Each names its node
    /// (``TarmacError/members``). Nodes that were not run because of these failures are not included.
    public private(set) var failures: [any Error] = []

    init(_ nodes: [GraphNode]) {
        self.nodes = nodes
        names = nodes.map(\.name)
        outcomes = Array(repeating: nil, count: nodes.count)
    }

    /// The value of a node.
    ///
    /// - Throws: the node's error; `TarmacError(.dependencyFailed)`, which names the node that failed, if the node was
    ///   not run because of that failure; `TarmacError(.invalidGroup)` for a node of another graph.
    public subscript<Value>(node: RequestGraph.Node<Value>) -> Value {
        get throws { try result(of: node).get() }
    }

    /// Returns the result of a node.
    public func result<Value>(of node: RequestGraph.Node<Value>) -> Result<Value, any Error> {
        guard nodes.indices.contains(node.index), nodes[node.index].identity === node.identity else { return .failure(Self.foreign) }
        return (outcomes[node.index] ?? .failure(CancellationError())).map { ChainResults.cast($0, to: Value.self) }
    }

    /// Throws the first failure, if a node failed.
    public func check() throws {
        if let first = failures.first { throw first }
    }

    /// The graph as a Mermaid flowchart with the outcome of each node.
    public var mermaid: String {
        GraphChart(zip(nodes, names).map { ($1, $0.dependencies) }, outcomes: outcomes.map { $0?.map { _ in } }).text
    }

    private static var foreign: TarmacError {
        TarmacError(.invalidGroup, "the node is not in this graph", suggestion: "ask for nodes the graph returned that was flown")
    }
}

// MARK: Running

extension GraphResults {
    mutating func land(_ index: Int, named name: String, _ outcome: Result<any Sendable, any Error>) {
        names[index] = name
        outcomes[index] = outcome
        if let error = outcome.error { failures.append(error) }
    }

    /// Fails a node that is not run because another one failed.
    mutating func fail(_ index: Int, because cause: Int) {
        guard let error = outcomes[cause]?.error else { return }
        outcomes[index] = .failure(
            TarmacError(.dependencyFailed, "it needs \(member(cause)), which failed with \(Self.code(of: error))", cause: error)
                .within(member(index)))
    }

    /// Returns the values that a node needs. All of those nodes have ended with a value.
    func inputs(of index: Int) -> GraphInputs {
        GraphInputs(nodes[index].dependencies.compactMap { try? outcomes[$0]?.get() })
    }

    /// Whether every node ended by itself and none because the graph was cancelled.
    var hasRunToItsEnd: Bool { outcomes.allSatisfy { $0.map { !($0.error is CancellationError) } ?? false } }

    private func member(_ index: Int) -> TarmacError.Member {
        TarmacError.Member(group: .graph, index: index, total: nodes.count, name: names[index])
    }

    private static func code(of error: any Error) -> String { (error as? TarmacError)?.code.name ?? "a cancellation" }
}

extension GraphResults: MaskedReflectable {
    /// The number of nodes with a value, never a value, because it may contain secrets.
    public var description: String {
        let landed = outcomes.count { if case .success = $0 { true } else { false } }
        return "\(landed) of \(nodes.count) nodes landed, \(failures.count) failed"
    }
}

extension RequestGraph: MaskedReflectable {
    /// The number of nodes, never their values.
    public var description: String { "\(count) nodes" }
}
