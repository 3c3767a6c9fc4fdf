@_spi(TarmacRooms) import TarmacCore

extension OutboxCore {
    /// The entries that workers hold.
    var held: Set<OutboxEntry.ID> { hands.withLock { $0.ids } }

    /// Whether a worker of this process sends an entry, whatever the clock says of its lease.
    func holds(_ id: OutboxEntry.ID) -> Bool { hands.withLock { $0.holds(id) } }

    /// Takes up the entries of a lease, and returns those to be sent. A worker may hold an entry that is leased: a clock that jumps ends leases,
    /// and the store frees an entry before its worker knows that the result is stored.
    ///
    /// - Parameter earlier: The entries that workers held before the lease.
    func takeUp(_ leased: [OutboxRecord], heldBefore earlier: Set<OutboxEntry.ID>) -> [OutboxRecord] {
        let taken = hands.withLock { hands in leased.filter { hands.takeUp($0) } }
        // A worker has settled these meanwhile: before the lease, or after it, which has ended the lease.
        for record in taken where earlier.contains(record.id) { release(AttemptReport(record, .released)) }
        return taken.filter { !earlier.contains($0.id) }
    }

    /// Puts down an entry whose result is stored, and reports the result; returns `false` if its new lease has to be ended first.
    ///
    /// It reports under the lock, so that a reader of the report finds the entry put down: the consumers' queues run no code of others.
    func putDown(_ id: OutboxEntry.ID, telling report: AttemptReport?) -> Bool {
        hands.withLock { hands in
            guard hands.putDown(id) else { return false }
            tell(report)
            return true
        }
    }

    /// Lets the loop end the lease of an entry in hands, which may be valid or not, and put the entry down.
    func release(_ report: AttemptReport) {
        keep(report)
        wake()
    }

    /// Returns the report of an attempt, or a release if the attempt sent content that was edited meanwhile.
    func current(_ report: AttemptReport) -> AttemptReport {
        hands.withLock { $0.isEdited(report.id) } ? AttemptReport(releasing: report) : report
    }
}
