import TarmacCore

/// A value for each host that a service has asked recently. A new host replaces the one that was asked longest ago.
struct HostTable<Value> {
    private var entries: [(origin: WebOrigin, value: Value)] = []
    private let limit: Int

    /// - Parameter limit: the maximum number of hosts. A service has few, but redirects can lead anywhere.
    init(limit: Int = 32) { self.limit = limit }

    var count: Int { entries.count }

    /// Whether the value of any host satisfies `predicate`.
    func contains(where predicate: (Value) -> Bool) -> Bool { entries.contains { predicate($0.value) } }

    /// Changes the value of a host, which is `initial` for a new host.
    mutating func withValue<Result>(of origin: WebOrigin, initial: @autoclosure () -> Value, _ body: (inout Value) -> Result) -> Result {
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
