@_spi(TarmacRooms) public import TarmacCore

extension RequestGraph {
    /// Adds a work without dependencies.
    ///
    /// - Parameters:
    ///   - work: the work, such as a call.
    ///   - name: the name in errors and charts. Default: the work's name.
    @discardableResult
    public mutating func add<W: Work>(_ work: W, named name: String? = nil) -> Node<W.Value> {
        add(name ?? work.workName, after: []) { _ in GroupMember(work, named: name) }
    }

    /// Adds a work made from the values of other nodes.
    ///
    /// ```swift
    /// let order = graph.add(after: user, cart) { user, cart in PlaceOrder(user: user.id, items: cart.items) }
    /// ```
    /// - Parameters:
    ///   - node: the nodes whose values the work needs.
    ///   - name: the name in errors and charts. Default: the work's name.
    ///   - make: makes the work. If it throws, the node fails.
    @discardableResult
    public mutating func add<each Needed: Sendable, W: Work>(
        after node: repeat Node<each Needed>, named name: String? = nil,
        _ make: @escaping @Sendable (repeat each Needed) async throws -> W
    ) -> Node<W.Value> {
        add(name ?? W.workName, after: Self.places(repeat each node)) { inputs in
            var inputs = inputs
            return GroupMember(try await make(repeat inputs.next(as: (each Needed).self)), named: name)
        }
    }

    /// Adds a work made from the values of any number of nodes of one type, in their order.
    @discardableResult
    public mutating func add<Needed: Sendable, W: Work>(
        afterAll nodes: [Node<Needed>], named name: String? = nil, _ make: @escaping @Sendable ([Needed]) async throws -> W
    ) -> Node<W.Value> {
        add(name ?? W.workName, after: nodes.map { ($0.identity, $0.index) }) { inputs in
            GroupMember(try await make(inputs.all(as: Needed.self)), named: name)
        }
    }

    private static func places<each Needed>(_ node: repeat Node<each Needed>) -> [(identity: GraphNode.Identity, index: Int)] {
        var places: [(identity: GraphNode.Identity, index: Int)] = []
        repeat places.append(((each node).identity, (each node).index))
        return places
    }
}
