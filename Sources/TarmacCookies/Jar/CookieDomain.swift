import TarmacCore

/// The cookies of one domain, found by path, in the order in which a full domain loses them.
struct CookieDomain {
    private(set) var heap = CookieHeap<DomainOrder>()
    /// The cookies by path, in a domain with many of them.
    private var paths: [String: Set<CookieNode>]?
    /// The number of cookies above which they are found by path. Below it, comparing all of them is faster.
    private static let few = 32

    var count: Int { heap.count }

    mutating func insert(_ node: CookieNode) {
        heap.insert(node)
        if paths != nil {
            paths?[node.cookie.path, default: []].insert(node)
        } else if count > Self.few {
            paths = Dictionary(grouping: heap.nodes, by: \.cookie.path).mapValues { Set($0) }
        }
    }

    mutating func remove(_ node: CookieNode) {
        heap.remove(node)
        guard paths != nil else { return }
        let path = node.cookie.path
        paths?[path]?.remove(node)
        if paths?[path]?.isEmpty == true { paths?[path] = nil }
        if count <= Self.few / 2 { paths = nil }
    }

    mutating func moved(_ node: CookieNode) { heap.moved(node) }

    /// Calls `body` with each cookie whose path a request's path matches, in no order.
    ///
    /// - Returns: the number of cookies and paths that were looked at.
    @discardableResult
    func visit(_ path: String, _ body: (CookieNode) -> Void) -> Int {
        var steps = 0
        func visit(_ nodes: some Sequence<CookieNode>) {
            for node in nodes {
                steps += 1
                if node.cookie.path == "/" || CookieRules.pathMatches(path, node.cookie.path) { body(node) }
            }
        }
        guard let paths else {
            visit(heap.nodes)
            return steps
        }
        for candidate in CookieRules.pathsMatched(by: path, upTo: paths.keys.lazy.map(\.utf8.count).max() ?? 0) {
            steps += 1
            if let nodes = paths[candidate] { visit(nodes) }
        }
        return steps
    }
}
