/// Who of a batch takes off next, and when the rest is called off (pure).
struct BatchLine {
    let count: Int
    private let limit: Int
    private let stopsAtFailure: Bool
    private var launched = 0
    private(set) var completed = 0
    private(set) var failed = 0
    private(set) var isStopped = false

    /// - Parameter limit: how many may be in flight; `nil` for all.
    init(count: Int, limit: Int?, stopsAtFailure: Bool) {
        self.count = count
        self.limit = limit ?? .max
        self.stopsAtFailure = stopsAtFailure
    }

    /// The next to take off, in order of the list; `nil` when all have, when enough are in flight, or after the end was called.
    mutating func takeOff() -> Int? {
        guard !isStopped, launched < count, launched - completed < limit else { return nil }
        defer { launched += 1 }
        return launched
    }

    /// Notes a landing; returns whether the others are to be cancelled because of it.
    mutating func land(failed hasFailed: Bool) -> Bool {
        completed += 1
        if hasFailed { failed += 1 }
        guard hasFailed, stopsAtFailure, !isStopped else { return false }
        isStopped = true
        return true
    }

    /// Lets nobody take off any more.
    mutating func stop() { isStopped = true }

    var progress: GroupProgress { GroupProgress(completed: completed, failed: failed, total: count) }
}
