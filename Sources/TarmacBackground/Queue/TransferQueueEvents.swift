@_spi(TarmacRooms) import TarmacCore
import TarmacHTTP

/// The events since the last decision, and the progress of transfers.
struct TransferQueueEvents {
    private var holding: TransferConditions = []
    /// The events that have come and end pauses.
    private var ends: TransferQueuePause.Ends = []
    /// Whether more than progress has changed.
    private var isDue = true
    var progress: [ExactText: TransferProgress] = [:]

    mutating func noteChange() { isDue = true }

    mutating func noteLogin() {
        isDue = true
        ends.insert(.ofLogin)
    }

    mutating func note(_ holding: TransferConditions) {
        isDue = true
        if !holding.subtracting(self.holding).isDisjoint(with: .ofNetwork) { ends.insert(.ofNetwork) }
        self.holding = holding
    }

    /// Returns what holds, and which pauses end, if anything is to be decided.
    mutating func take() -> (holding: TransferConditions, ends: TransferQueuePause.Ends)? {
        guard isDue else { return nil }
        defer { (ends, isDue) = ([], false) }
        return (holding, ends)
    }
}

/// A deadline that wakes a queue.
struct TransferQueueWake: DeadlineWatch {
    let wake: @Sendable () -> Void

    func expire(_ now: Moment) -> Moment? {
        wake()
        return nil
    }
}

extension TransferQueueEntry {
    /// - Parameter progress: `nil` unless it runs.
    init(_ record: TransferQueueRecord, progress: TransferProgress?) {
        (id, priority, conditions) = (record.id, record.priority, record.conditions)
        state =
            switch record.state {
            case .paused: .paused
            case .failed: .failed(reason: record.failure ?? "")
            case .waiting, .running: progress.map { .running($0) } ?? .waiting
            }
    }
}
