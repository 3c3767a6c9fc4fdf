@_spi(TarmacRooms) import TarmacCore

/// Tells the progress of one attempt, and nothing after its end.
final class OutboxProgress: Sendable {
    private let observers: OutboxObservers
    private let id: OutboxEntry.ID
    private let lane: OutboxLane
    private let isOver = Locked(false)

    init(_ observers: OutboxObservers, _ record: OutboxRecord) { (self.observers, id, lane) = (observers, record.id, record.lane) }

    func tell(_ progress: TransferProgress) {
        // Under the lock, so that no progress comes after `end()`: the consumers' queues run no code of others.
        isOver.withLock { if !$0 { observers.tell(.progress(progress), id, lane) } }
    }

    func end() { isOver.withLock { $0 = true } }
}
