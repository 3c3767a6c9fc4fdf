@_spi(TarmacRooms) import TarmacCore

extension OutboxCore {
    /// The entries that workers hold.
    var held: Set<OutboxEntry.ID> { hands.withLock { $0.ids } }

    /// Whether a worker of this process sends an entry, whatever the clock says of its lease.
    func holds(_ id: OutboxEntry.ID) -> Bool { hands.withLock { $0.holds(id) } }

    /// Takes up the entries of a lease, and returns them without those that workers hold: a clock that jumps ends leases.
    ///
    /// - Parameter earlier: The entries that workers held before the lease.
    func takeUp(_ leased: [OutboxRecord], heldBefore earlier: Set<OutboxEntry.ID>) async -> [OutboxRecord] {
        let taken = hands.withLock { hands in leased.filter { hands.takeUp($0) } }
        let doubtful = Set(taken.map(\.id)).intersection(earlier)
        if doubtful.isEmpty { return taken }
        // A worker has settled these meanwhile: before the lease, or after it, which has ended the lease.
        let there = (try? await store.records(OutboxFilter(ids: doubtful), limit: doubtful.count)) ?? []
        let settled = doubtful.subtracting(there.filter { $0.leasedUntil != nil }.map(\.id))
        for id in settled { putDown(id) }
        wake()
        return taken.filter { !settled.contains($0.id) }
    }

    func putDown(_ id: OutboxEntry.ID) { hands.withLock { $0.putDown(id) } }

    /// Returns the report of an attempt, or a release if the attempt sent content that was edited meanwhile.
    func current(_ report: AttemptReport) -> AttemptReport {
        hands.withLock { $0.isEdited(report.id) } ? AttemptReport(releasing: report) : report
    }
}
