public import TarmacCore

/// A transfer in a ``TransferQueue``.
public struct TransferQueueEntry: Sendable, Hashable, Identifiable {
    /// The states of a transfer. One that has ended well is not in the queue any more.
    public enum State: Sendable, Hashable {
        /// It waits for its turn, its conditions or another attempt.
        case waiting
        case running(TransferProgress)
        /// It waits until the app resumes it.
        case paused
        /// It failed for a reason that does not pass by itself, which is safe to log. It waits until the app resumes or removes it.
        case failed(reason: String)
    }

    /// The app's own ID.
    public let id: String
    public let priority: CallPriority
    /// The conditions besides a network.
    public let conditions: TransferConditions
    public let state: State
}
