/// An order of cookies, and the place of each in it.
protocol CookieOrder {
    static func precedes(_ one: CookieNode, _ other: CookieNode) -> Bool
    static func place(of node: CookieNode) -> Int
    static func setPlace(of node: CookieNode, to place: Int)
}

/// A binary heap that knows the place of each cookie, so that any of them moves or leaves in O(log n).
struct CookieHeap<Order: CookieOrder> {
    private(set) var nodes: [CookieNode] = []
    /// The number of comparisons so far, for tests of growth.
    private(set) var comparisons = 0

    var first: CookieNode? { nodes.first }
    var count: Int { nodes.count }
    var isEmpty: Bool { nodes.isEmpty }

    mutating func insert(_ node: CookieNode) {
        nodes.append(node)
        Order.setPlace(of: node, to: nodes.count - 1)
        rise(from: nodes.count - 1)
    }

    mutating func remove(_ node: CookieNode) {
        let place = Order.place(of: node), last = nodes.removeLast()
        Order.setPlace(of: node, to: -1)
        guard last !== node else { return }
        put(last, at: place)
        moved(last)
    }

    /// Restores the order after a change of one cookie.
    mutating func moved(_ node: CookieNode) {
        let place = Order.place(of: node)
        rise(from: place)
        if Order.place(of: node) == place { sink(from: place) }
    }

    private mutating func put(_ node: CookieNode, at place: Int) {
        nodes[place] = node
        Order.setPlace(of: node, to: place)
    }

    private mutating func precedes(_ one: CookieNode, _ other: CookieNode) -> Bool {
        comparisons += 1
        return Order.precedes(one, other)
    }

    private mutating func rise(from start: Int) {
        let node = nodes[start]
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard precedes(node, nodes[parent]) else { break }
            put(nodes[parent], at: place)
            place = parent
        }
        if place != start { put(node, at: place) }
    }

    private mutating func sink(from start: Int) {
        let node = nodes[start]
        var place = start
        while 2 * place + 1 < nodes.count {
            var child = 2 * place + 1
            if child + 1 < nodes.count, precedes(nodes[child + 1], nodes[child]) { child += 1 }
            guard precedes(nodes[child], node) else { break }
            put(nodes[child], at: place)
            place = child
        }
        if place != start { put(node, at: place) }
    }
}
