#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore

/// What became of an attempt: to be written down, and then told. Without the record, whose body may be large: it may be kept.
struct AttemptReport: Sendable {
    let id: OutboxEntry.ID
    let lane: OutboxLane
    var settlement: OutboxSettlement
    var kind: OutboxChange.Kind?

    init(_ record: OutboxRecord, _ settlement: OutboxSettlement, kind: OutboxChange.Kind? = nil) {
        id = record.id
        lane = record.lane
        self.settlement = settlement
        self.kind = kind
    }
}

extension OutboxCore {
    /// Keeps what a worker could not write down. The entry stays in hand: its lease is renewed with those of the others, so that
    /// nobody sends what is known to have arrived.
    func keep(_ report: AttemptReport) { overdue.withLock { $0.append(report) } }

    /// Writes down what workers could not, so that their lanes go on.
    func settleOverdue() async {
        for report in overdue.withLock({ $0 }) {
            do { tell(report, try await store.settle(report.id, as: report.settlement, owner: owner, then: nil).isOwners) } catch {
                hub.tell(.storeFailed(Self.storeError(error)), report.id, report.lane)
                continue
            }
            forget([report.id])
            putDown(report.id, takingUp: nil)
        }
    }

    /// Tells what was written down, unless the lease had gone to another.
    func tell(_ report: AttemptReport, _ isOwners: Bool) {
        if isOwners, report.settlement == .sent { folder?.remove([report.id]) }
        if isOwners, let kind = report.kind { hub.tell(kind, report.id, report.lane) }
    }

    /// Of entries whose lease had run out and that are sent anew.
    func forget(_ ids: [OutboxEntry.ID]) { overdue.withLock { $0.removeAll { ids.contains($0.id) } } }

    /// When to try again, if anything is overdue.
    var nextSettling: Date? { hasOverdue ? now + 10 : nil }

    var hasOverdue: Bool { overdue.withLock { !$0.isEmpty } }

    /// Whether so much is overdue that nothing more is sent before the store takes it: a process that ends now would send all of
    /// it again.
    var isOverdueFull: Bool { overdue.withLock { $0.count >= Self.overdueLimit } }

    private static let overdueLimit = 64
}
