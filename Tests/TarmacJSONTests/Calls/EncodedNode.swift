#if canImport(TarmacJSON)
@testable import TarmacJSON
#endif

/// What calls of an encoder must lead to, as a tree: a second and simple way to the same text.
final class EncodedNode {
    enum Content: Equatable { case nothing, scalar(String), object, array }

    private(set) var content = Content.nothing
    /// Also the elements of an array, without names.
    private(set) var members: [(key: String, node: EncodedNode)] = []
    let path: [String]
    /// Whether its encoder and its container may still be used.
    var isOpen: Bool
    /// Whether a part of it is being encoded, so that nothing else may be.
    var isBusy = false
    /// Whether it was asked for as a nested container or super encoder, and stays open to the end.
    let isNested: Bool
    /// Whether its content is a container that was asked for, and may be asked for again.
    private(set) var isShared = false

    init(_ path: [String], isOpen: Bool = true, isNested: Bool = false) {
        self.path = path
        self.isOpen = isOpen
        self.isNested = isNested
    }

    static func closed() -> EncodedNode { EncodedNode([], isOpen: false) }

    // MARK: Rules

    /// Whether a container of this node can be written to.
    var takesParts: Bool { isOpen && !isBusy }
    /// Whether the value can be written, as a whole or by a container.
    var takesValue: Bool { takesParts && content == .nothing }

    /// Opens a container; false if the node is something else.
    func open(_ kind: Content) -> Bool {
        if takesValue {
            content = kind
            isShared = true
            return true
        }
        return isOpen && isShared && content == kind
    }

    func write(_ scalar: String) { content = .scalar(scalar) }

    /// Becomes what `other` is, written whole. Nothing encoded is an empty object.
    func take(_ other: EncodedNode) {
        content = other.content == .nothing ? .object : other.content
        members = other.members
    }

    /// An array or object written whole.
    func write(_ kind: Content, _ parts: [(key: String, node: EncodedNode)]) {
        content = kind
        members = parts
    }

    func add(_ node: EncodedNode, _ key: String?) {
        if let key { members.removeAll { $0.key.unicodeScalars.elementsEqual(key.unicodeScalars) } }
        members.append((key ?? "", node))
    }

    /// The container of `kind` that is nested at `key`: the one that is there, one that goes on where a whole value
    /// stands, or a new one.
    func nested(_ kind: Content, _ key: String?) -> EncodedNode {
        let path = path + [key ?? "Index \(members.count)"]
        let node = EncodedNode(path, isNested: true)
        if let key, let earlier = members.last(where: { $0.key == key })?.node {
            if earlier.isNested {
                if earlier.isShared, earlier.content == kind { return earlier }
            } else if earlier.text(isSorted: false).first == (kind == .object ? "{" : "[") {
                node.members = earlier.members
            }
        }
        _ = node.open(kind)
        add(node, key)
        return node
    }

    // MARK: Text

    func text(isSorted: Bool) -> String {
        switch content {
        case .nothing: return "{}"
        case .scalar(let text): return text
        case .array: return "[" + members.map { $0.node.text(isSorted: isSorted) }.joined(separator: ",") + "]"
        case .object:
            let order = isSorted ? members.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) } : members
            return "{" + order.map { Self.quoted($0.key) + ":" + $0.node.text(isSorted: isSorted) }.joined(separator: ",") + "}"
        }
    }

    static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "/": "\\/"
            case "\u{0}": "\\u0000"
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}
