public import TarmacCore

extension RequestGraph {
    /// Adds a call without dependencies.
    ///
    /// - Parameters:
    ///   - endpoint: the call.
    ///   - name: the name in errors and charts. Default: the endpoint's name.
    @discardableResult
    public mutating func add<E: Endpoint>(_ endpoint: E, named name: String? = nil) -> Node<E.Value> {
        add(name ?? endpoint.endpointName, after: []) { _ in GroupMember(endpoint, named: name) }
    }

    /// Adds a call made from the values of other nodes.
    ///
    /// ```swift
    /// let order = graph.add(after: user, cart) { user, cart in PlaceOrder(user: user.id, items: cart.items) }
    /// ```
    /// - Parameters:
    ///   - node: the nodes whose values the call needs.
    ///   - name: the name in errors and charts. Default: the endpoint's name.
    ///   - make: makes the endpoint. If it throws, the node fails.
    @discardableResult
    public mutating func add<each Needed: Sendable, E: Endpoint>(
        after node: repeat Node<each Needed>, named name: String? = nil,
        _ make: @escaping @Sendable (repeat each Needed) async throws -> E
    ) -> Node<E.Value> {
        add(name ?? E.endpointName, after: Self.places(repeat each node)) { inputs in
            var inputs = inputs
            return GroupMember(try await make(repeat inputs.next(as: (each Needed).self)), named: name)
        }
    }

    /// Adds a call made from the values of any number of nodes of one type, in their order.
    @discardableResult
    public mutating func add<Needed: Sendable, E: Endpoint>(
        afterAll nodes: [Node<Needed>], named name: String? = nil, _ make: @escaping @Sendable ([Needed]) async throws -> E
    ) -> Node<E.Value> {
        add(name ?? E.endpointName, after: nodes.map { ($0.identity, $0.index) }) { inputs in
            GroupMember(try await make(inputs.all(as: Needed.self)), named: name)
        }
    }

    /// Adds work of any kind, such as a download or a change of values. Make calls with the client that the closure
    /// receives.
    ///
    /// - Parameters:
    ///   - node: the nodes whose values the work needs.
    ///   - name: the name in errors and charts. Default: `work`.
    ///   - work: receives the client and the values of the nodes. If it throws, the node fails.
    @discardableResult
    public mutating func addWork<each Needed: Sendable, Value: Sendable>(
        after node: repeat Node<each Needed>, named name: String = "work",
        _ work: @escaping @Sendable (Client, repeat each Needed) async throws -> Value
    ) -> Node<Value> {
        add(name, after: Self.places(repeat each node)) { inputs in
            GroupMember(name) { client in
                var inputs = inputs
                return try await work(client, repeat inputs.next(as: (each Needed).self))
            }
        }
    }

    /// Adds work on the values of any number of nodes of one type, in their order.
    @discardableResult
    public mutating func addWork<Needed: Sendable, Value: Sendable>(
        afterAll nodes: [Node<Needed>], named name: String = "work",
        _ work: @escaping @Sendable (Client, [Needed]) async throws -> Value
    ) -> Node<Value> {
        add(name, after: nodes.map { ($0.identity, $0.index) }) { inputs in
            GroupMember(name) { try await work($0, inputs.all(as: Needed.self)) }
        }
    }

    private static func places<each Needed>(_ node: repeat Node<each Needed>) -> [(identity: GraphNode.Identity, index: Int)] {
        var places: [(identity: GraphNode.Identity, index: Int)] = []
        repeat places.append(((each node).identity, (each node).index))
        return places
    }
}
