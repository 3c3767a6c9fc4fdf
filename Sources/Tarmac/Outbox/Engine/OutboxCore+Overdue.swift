#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What became of an attempt: to be written down, and then told.
struct AttemptReport: Sendable {
    let record: OutboxRecord
    var settlement: OutboxSettlement
    var kind: OutboxChange.Kind?
}

extension OutboxCore {
    /// Keeps what a worker could not write down. The entry stays in hand: its lease is renewed with those of the others, so that
    /// nobody sends what is known to have arrived.
    func keep(_ report: AttemptReport) { overdue.withLock { $0.append(report) } }

    /// Writes down what workers could not, so that their lanes go on.
    func settleOverdue() async {
        for report in overdue.withLock({ $0 }) {
            do { tell(report, try await store.settle(report.record.id, as: report.settlement, owner: owner, then: nil).isOwners) } catch {
                hub.tell(.storeFailed(Self.storeError(error)), report.record.id, report.record.lane)
                continue
            }
            forget([report.record.id])
            putDown(report.record.id, takingUp: nil)
        }
    }

    /// Tells what was written down, unless the lease had gone to another.
    func tell(_ report: AttemptReport, _ isOwners: Bool) {
        if isOwners, let kind = report.kind { hub.tell(kind, report.record.id, report.record.lane) }
    }

    /// Of entries whose lease had run out and that are sent anew.
    func forget(_ ids: [OutboxEntry.ID]) { overdue.withLock { $0.removeAll { ids.contains($0.record.id) } } }

    /// When to try again, if anything is overdue.
    var nextSettling: Date? { hasOverdue ? now + 10 : nil }

    var hasOverdue: Bool { overdue.withLock { !$0.isEmpty } }
}
