#if Inspector
import TarmacCallLog

/// The changes that a reader has not seen yet. They are bounded: a reader with too many loads the list again (pure).
struct PendingChanges: Sendable {
    struct Batch: Sendable, Equatable {
        var mustReset = false
        var isCleared = false
        var changed: Set<UInt64> = []
        var removed: [UInt64] = []
    }

    private var batch = Batch()
    /// The updates since the last two batches. The log drops the oldest of ``mostUpdates`` that wait, and nothing tells that it did.
    private var updates = 0, updatesBefore = 0
    static let mostUpdates = 1_024, mostChanges = 2_000

    mutating func note(_ update: CallLog.Update) {
        updates += 1
        if batch.mustReset { return }
        switch update {
        case .started(let id), .changed(let id), .ended(let id): batch.changed.insert(id)
        case .removed(let id):
            batch.changed.remove(id)
            batch.removed.append(id)
        case .cleared: batch = Batch(isCleared: true)
        }
        if updates + updatesBefore >= Self.mostUpdates || batch.changed.count + batch.removed.count > Self.mostChanges { batch = Batch(mustReset: true) }
    }

    var hasChanges: Bool { batch.mustReset || batch.isCleared || !batch.changed.isEmpty || !batch.removed.isEmpty }

    /// Returns what has changed since the last call, or `nil` if nothing has.
    mutating func take() -> Batch? {
        (updatesBefore, updates) = (updates, 0)
        guard hasChanges else { return nil }
        defer { batch = Batch() }
        return batch
    }
}
#endif
