/// The runtimes of one environment, by the names of their services. The client's first service has two names.
struct RuntimeTable {
    private static let few = 8
    private var entries: [(name: String, runtime: ServiceRuntime)] = []
    /// The places in `entries`. Empty while there are few, because comparing a few names is faster than hashing one.
    private var places: [ExactText: Int] = [:]

    /// Each runtime once.
    var all: [ServiceRuntime] { entries.lazy.filter { $0.name.isExactly($0.runtime.service.name) }.map(\.runtime) }

    /// The names looked at so far.
    private(set) var steps = 0

    mutating func runtime(of name: String) -> ServiceRuntime? {
        if entries.count > Self.few {
            steps += 1
            return places[ExactText(name)].map { entries[$0].runtime }
        }
        for entry in entries {
            steps += 1
            if entry.name.isExactly(name) { return entry.runtime }
        }
        return nil
    }

    /// Adds a runtime under a name that has none.
    mutating func add(_ runtime: ServiceRuntime, named name: String) {
        guard self.runtime(of: name) == nil else { return }
        entries.append((name, runtime))
        if entries.count == Self.few + 1 { for (place, entry) in entries.enumerated() { places[ExactText(entry.name)] = place } }
        if entries.count > Self.few { places[ExactText(name)] = entries.count - 1 }
    }
}
