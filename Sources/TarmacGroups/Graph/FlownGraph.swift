import TarmacCore

/// What became of the nodes of a graph.
public struct FlownGraph: Sendable {
    private let nodes: [GraphNode]
    private var names: [String]
    private var outcomes: [Result<any Sendable, any Error>?]
    /// What the nodes failed with that failed by themselves, the first failure first; each names its node
    /// (``TarmacError/member``). Those that were not flown because of them are not among them.
    public private(set) var failures: [any Error] = []

    init(_ nodes: [GraphNode]) {
        self.nodes = nodes
        names = nodes.map(\.name)
        outcomes = Array(repeating: nil, count: nodes.count)
    }

    /// The value a node landed as; throws what it failed with.
    ///
    /// - Throws: the node's error; `TarmacError(.dependencyFailed)`, which names the node that failed, if it was not flown
    ///   because of that; `TarmacError(.invalidGroup)` for a node of another graph.
    public subscript<Value>(node: RequestGraph.Node<Value>) -> Value {
        get throws { try result(of: node).get() }
    }

    /// What became of a node.
    public func result<Value>(of node: RequestGraph.Node<Value>) -> Result<Value, any Error> {
        guard nodes.indices.contains(node.index), nodes[node.index].identity === node.identity else { return .failure(Self.foreign) }
        return (outcomes[node.index] ?? .failure(CancellationError())).map { ChainResults.cast($0, to: Value.self) }
    }

    /// Throws the first failure, if a node failed.
    public func check() throws {
        if let first = failures.first { throw first }
    }

    /// The graph as a Mermaid flowchart that shows what became of each node.
    public var mermaid: String {
        GraphChart(zip(nodes, names).map { ($1, $0.dependencies) }, outcomes: outcomes.map { $0?.map { _ in } }).text
    }

    private static var foreign: TarmacError {
        TarmacError(.invalidGroup, "the node is not in this graph", suggestion: "ask for nodes the graph returned that was flown")
    }
}

// MARK: In flight

extension FlownGraph {
    mutating func land(_ index: Int, named name: String, _ outcome: Result<any Sendable, any Error>) {
        names[index] = name
        outcomes[index] = outcome
        if let error = outcome.error { failures.append(error) }
    }

    /// Fails a node that is not flown because another failed.
    mutating func fail(_ index: Int, because cause: Int) {
        guard let error = outcomes[cause]?.error else { return }
        outcomes[index] = .failure(
            TarmacError(.dependencyFailed, "it needs \(member(cause)), which failed with \(Self.code(of: error))", cause: error)
                .within(member(index)))
    }

    /// The values a node needs; all of them have landed.
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

extension FlownGraph: CustomStringConvertible, CustomReflectable {
    /// How many landed; never a value, which may hold secrets.
    public var description: String {
        let landed = outcomes.count { if case .success = $0 { true } else { false } }
        return "\(landed) of \(nodes.count) nodes landed, \(failures.count) failed"
    }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension RequestGraph: CustomStringConvertible, CustomReflectable {
    /// How many nodes; never what they carry.
    public var description: String { "\(count) nodes" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
