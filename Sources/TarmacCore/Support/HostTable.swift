/// What is known of each host a service has asked lately; the host asked longest ago is forgotten for a new one.
package struct HostTable<Value> {
    private var entries: [(origin: WebOrigin, value: Value)] = []
    private let limit: Int

    /// - Parameter limit: how many hosts are remembered; a service has few, but redirects may lead anywhere.
    package init(limit: Int = 32) { self.limit = limit }

    package var count: Int { entries.count }

    /// Whether something is so of any host.
    func contains(where predicate: (Value) -> Bool) -> Bool { entries.contains { predicate($0.value) } }

    /// What is known of a host, begun with `initial` when nothing is.
    package mutating func withValue<Result>(of origin: WebOrigin, initial: @autoclosure () -> Value, _ body: (inout Value) -> Result) -> Result {
        // Nearly always the first: a service mostly asks one host, and comparing costs less than hashing.
        if !entries.isEmpty, entries[0].origin == origin { return body(&entries[0].value) }
        if let index = entries.firstIndex(where: { $0.origin == origin }) {
            entries.insert(entries.remove(at: index), at: 0)
        } else {
            if entries.count == limit { entries.removeLast() }
            entries.insert((origin, initial()), at: 0)
        }
        return body(&entries[0].value)
    }
}
