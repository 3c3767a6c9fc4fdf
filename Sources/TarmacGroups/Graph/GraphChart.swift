import TarmacCore
import TarmacJSON

/// A graph as text for Mermaid (https://mermaid.js.org/syntax/flowchart.html).
struct GraphChart {
    private let nodes: [(name: String, dependencies: [Int])]
    /// The outcome of each node. `nil` before the run.
    private let outcomes: [Result<Void, any Error>?]?

    init(_ nodes: [(name: String, dependencies: [Int])], outcomes: [Result<Void, any Error>?]? = nil) {
        self.nodes = nodes
        self.outcomes = outcomes
    }

    init(_ nodes: [GraphNode]) { self.init(nodes.map { ($0.name, $0.dependencies) }) }

    var text: String {
        var lines = ["flowchart TD"]
        for (index, node) in nodes.enumerated() { lines.append("    n\(index)[\"\(label(index, node.name))\"]\(style(index))") }
        for (index, node) in nodes.enumerated() {
            // A node may need the same node twice; the chart has one arrow.
            for needed in Set(node.dependencies).ordered() { lines.append("    n\(needed) --> n\(index)") }
        }
        return (lines + styles).joined(separator: "\n") + "\n"
    }

    private func label(_ index: Int, _ name: String) -> String {
        let shown = Self.escaped(name)
        guard let error = error(of: index) else { return shown }
        return shown + "<br/>" + ((error as? TarmacError)?.code.name ?? "cancelled")
    }

    private func error(of index: Int) -> (any Error)? { outcomes?[index]?.error }

    private func style(_ index: Int) -> String {
        guard let outcomes else { return "" }
        switch outcomes[index] {
        case .success: return ":::landed"
        case .failure(let error): return (error as? TarmacError)?.code == .dependencyFailed ? ":::notFlown" : ":::failed"
        case nil: return ":::notFlown"
        }
    }

    private var styles: [String] {
        guard outcomes != nil else { return [] }
        return [
            "    classDef landed fill:#d7f5dd,stroke:#2b8a3e",
            "    classDef failed fill:#ffe3e3,stroke:#c92a2a",
            "    classDef notFlown fill:#f1f3f5,stroke:#868e96,stroke-dasharray:4",
        ]
    }

    /// Returns a name that stays one label. Characters with a meaning in Mermaid or HTML become entity codes, and a
    /// long name is shortened.
    static func escaped(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars.prefix(longest) {
            switch scalar {
            case "\"", "<", ">", "&", "#", ";", "`", "\\": text += "#\(scalar.value);"
            case _ where scalar.properties.generalCategory == .control || scalar.properties.isWhitespace: text += " "
            default: text.unicodeScalars.append(scalar)
            }
        }
        return name.unicodeScalars.count > longest ? text + "…" : text
    }

    private static let longest = 80
}
