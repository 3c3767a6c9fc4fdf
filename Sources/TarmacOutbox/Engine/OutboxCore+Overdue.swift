#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore

/// The result of an attempt, to be stored and then reported. It leaves out the record, whose body may be large.
final class AttemptReport: Sendable {
    let id: OutboxEntry.ID
    let lane: OutboxLane
    let settlement: OutboxSettlement
    let kind: OutboxChange.Kind?
    /// The record of a resumable upload, which ends with the entry.
    let upload: OutboxUpload?

    init(_ record: OutboxRecord, _ settlement: OutboxSettlement, kind: OutboxChange.Kind? = nil, upload: OutboxUpload? = nil) {
        id = record.id
        lane = record.lane
        self.settlement = settlement
        self.kind = kind
        self.upload = upload
    }

    /// Creates a report that only ends the lease.
    init(releasing report: AttemptReport) { (id, lane, settlement, kind, upload) = (report.id, report.lane, .released, nil, nil) }
}

extension OutboxCore {
    /// Keeps a result that a worker could not store. The lease of the entry is renewed with the others, so that no
    /// process sends an entry that is known to have arrived.
    func keep(_ report: AttemptReport) { overdue.withLock { $0.append(report) } }

    /// Stores the results that workers could not store, so that their lanes continue. Only the loop does: nothing leases the entries meanwhile.
    func settleOverdue() async {
        for report in overdue.withLock({ $0 }).map(current) {
            let isOwners: Bool
            do { isOwners = try await store.settle(report.id, as: report.settlement, owner: owner, then: nil).isOwners } catch {
                observers.tell(.storeFailed(Self.storeError(error)), report.id, report.lane)
                continue
            }
            overdue.withLock { $0.removeAll { $0.id == report.id } }
            if isOwners { await clean(report) }
            if putDown(report.id, telling: isOwners ? report : nil) { continue }
            if isOwners { tell(report) }
            release(AttemptReport(releasing: report))
        }
    }

    /// Removes what an entry that has been sent leaves behind.
    func clean(_ report: AttemptReport) async {
        guard report.settlement == .sent else { return }
        folder?.remove([report.id])
        await report.upload?.forget(on: engine)
    }

    /// Reports a stored result.
    func tell(_ report: AttemptReport?) {
        if let report, let kind = report.kind { observers.tell(kind, report.id, report.lane) }
    }

    /// The date of the next try, if any results are overdue.
    var nextSettling: Date? { hasOverdue ? now + 10 : nil }

    var hasOverdue: Bool { overdue.withLock { !$0.isEmpty } }

    /// Whether so many results are overdue that no more entries are sent until the store accepts them. A process that
    /// ends now would send all of those entries again.
    var isOverdueFull: Bool { overdue.withLock { $0.count >= Self.overdueLimit } }

    private static let overdueLimit = 64
}
