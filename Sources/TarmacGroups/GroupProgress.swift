import TarmacCore

/// The progress of a batch, a chain or a graph.
public struct GroupProgress: Sendable, Hashable {
    /// The number of members that have ended, including those that failed.
    public var completed: Int
    /// The number of members that failed.
    public var failed: Int
    /// The number of members. It grows only when a step of a chain adds steps; that step is itself a member and ends
    /// when the added steps are known.
    public var total: Int

    public init(completed: Int = 0, failed: Int = 0, total: Int) {
        self.completed = completed
        self.failed = failed
        self.total = total
    }

    /// The completed part, from 0 to 1. 1 for a group without members.
    public var fraction: Double { total > 0 ? Double(completed) / Double(total) : 1 }
}

extension Engine {
    /// Reports the progress of a group without members. Throws if a group with members could not run either.
    func landEmpty(_ progress: (@Sendable (GroupProgress) -> Void)?) throws(TarmacError) {
        try checkOpen()
        progress?(GroupProgress(total: 0))
    }
}
