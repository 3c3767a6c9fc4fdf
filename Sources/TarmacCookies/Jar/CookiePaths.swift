/// Cookies by their path. A search looks at those of the paths that a request's path matches, and at no others.
struct CookiePaths {
    private var nodes: [String: Set<CookieNode>] = [:]
    /// At least the length of the longest path, in UTF-8.
    private var longest = 0

    var isEmpty: Bool { nodes.isEmpty }

    mutating func insert(_ node: CookieNode) {
        let path = node.cookie.path
        nodes[path, default: []].insert(node)
        longest = max(longest, path.utf8.count)
    }

    mutating func remove(_ node: CookieNode) {
        let path = node.cookie.path
        nodes[path]?.remove(node)
        if nodes[path]?.isEmpty == true { nodes[path] = nil }
        if nodes.isEmpty { longest = 0 }
    }

    /// Calls `body` with each cookie that a request's path may match, until it returns `true`. Its bytes are still to be compared.
    ///
    /// - Returns: whether `body` returned `true`, and the number of paths that were looked up.
    func contains(_ path: String, where body: (CookieNode) -> Bool) -> (isFound: Bool, steps: Int) {
        var steps = 0
        for candidate in CookieRules.pathsMatched(by: path, upTo: longest) {
            steps += 1
            if nodes[candidate]?.contains(where: body) == true { return (true, steps) }
        }
        return (false, steps)
    }
}
