import TarmacCore

/// The cookies of one domain, found by path, in the order in which a full domain loses them.
struct CookieDomain {
    private(set) var heap = CookieHeap<DomainOrder>()
    /// The cookies by path, in a domain with many of them.
    private var paths: CookiePaths?
    /// The number of cookies above which they are found by path. Below it, comparing all of them is faster.
    private static let few = 32

    var count: Int { heap.count }

    mutating func insert(_ node: CookieNode) {
        heap.insert(node)
        if paths != nil {
            paths?.insert(node)
        } else if count > Self.few {
            paths = heap.nodes.reduce(into: CookiePaths()) { $0.insert($1) }
        }
    }

    mutating func remove(_ node: CookieNode) {
        heap.remove(node)
        paths?.remove(node)
        if count <= Self.few / 2 { paths = nil }
    }

    mutating func moved(_ node: CookieNode) { heap.moved(node) }

    /// Calls `body` with each cookie whose path a request's path matches, in no order.
    ///
    /// - Returns: the number of cookies and paths that were looked at.
    @discardableResult
    func visit(_ path: String, _ body: (CookieNode) -> Void) -> Int {
        var steps = 0
        func visit(_ node: CookieNode) {
            steps += 1
            if node.cookie.path == "/" || CookieRules.pathMatches(path, node.cookie.path) { body(node) }
        }
        guard let paths else {
            for node in heap.nodes { visit(node) }
            return steps
        }
        let looked = paths.contains(path) { node in
            visit(node)
            return false
        }
        return steps + looked.steps
    }
}
