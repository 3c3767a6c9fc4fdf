/// Decides which member of a batch starts next, and when the others are cancelled (pure).
struct BatchSchedule {
    let count: Int
    private let limit: Int
    private let stopsAtFailure: Bool
    private var launched = 0
    private(set) var completed = 0
    private(set) var failed = 0
    private(set) var isStopped = false

    /// - Parameter limit: the maximum number of running members. `nil` for no limit.
    init(count: Int, limit: Int?, stopsAtFailure: Bool) {
        self.count = count
        self.limit = limit ?? .max
        self.stopsAtFailure = stopsAtFailure
    }

    /// Returns the next member in the order of the list, or `nil` if all have started, enough are running, or the batch
    /// was stopped.
    mutating func takeOff() -> Int? {
        guard !isStopped, launched < count, launched - completed < limit else { return nil }
        defer { launched += 1 }
        return launched
    }

    /// Records the end of a member. Returns whether the others must be cancelled.
    mutating func land(failed hasFailed: Bool) -> Bool {
        completed += 1
        if hasFailed { failed += 1 }
        guard hasFailed, stopsAtFailure, !isStopped else { return false }
        isStopped = true
        return true
    }

    /// Starts no further member.
    mutating func stop() { isStopped = true }

    var progress: GroupProgress { GroupProgress(completed: completed, failed: failed, total: count) }
}
