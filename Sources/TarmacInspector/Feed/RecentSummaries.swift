#if Inspector
import TarmacCallLog

/// The lines of calls that one page has just asked for, so that the log does not mask the calls again for each of the others (pure).
///
/// A line lives for a moment alone, because a log that changes fast drops changes without a word.
struct RecentSummaries: Sendable {
    private var made: [UInt64: CallSummary] = [:]
    /// The calls that have changed while their lines were made.
    private var changed: Set<UInt64> = []
    private var began: ContinuousClock.Instant?
    private(set) var round = 0
    private static let longest = Duration.milliseconds(100)

    /// Forgets the lines that are too old.
    mutating func begin(at now: ContinuousClock.Instant) {
        if let began, now < began + Self.longest { return }
        (made, changed, began, round) = ([:], [], now, round + 1)
    }

    mutating func note(_ update: CallLog.Update) {
        switch update {
        case .started(let id), .changed(let id), .ended(let id), .removed(let id):
            made[id] = nil
            changed.insert(id)
        case .cleared: (made, began, round) = ([:], nil, round + 1)
        }
    }

    func known(_ ids: Set<UInt64>) -> [UInt64: CallSummary] { made.filter { ids.contains($0.key) } }

    /// Keeps the lines of calls that have not changed in this round.
    mutating func keep(_ summaries: [CallSummary], madeIn round: Int) {
        guard round == self.round else { return }
        for summary in summaries where !changed.contains(summary.id) { made[summary.id] = summary }
    }
}
#endif
