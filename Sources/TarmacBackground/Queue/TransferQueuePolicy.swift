package import TarmacCore

/// Decides which transfers of a queue run (pure).
package struct TransferQueuePolicy: Sendable {
    /// The largest number of transfers that run at a time.
    let limit: Int

    package init(limit: Int) { self.limit = max(1, limit) }

    /// A transfer as the decision sees it.
    package struct Candidate: Sendable {
        package var record: TransferQueueRecord
        /// The end of a pause after a failure.
        package var notBefore: Moment?
        package var isRunning = false
        /// Whether it is stopping, and has not ended yet.
        package var isStopping = false

        package init(_ record: TransferQueueRecord, notBefore: Moment? = nil, isRunning: Bool = false, isStopping: Bool = false) {
            (self.record, self.notBefore, self.isRunning, self.isStopping) = (record, notBefore, isRunning, isStopping)
        }
    }

    package struct Situation: Sendable {
        package var isPaused = false
        /// The conditions that hold now.
        package var holding: TransferConditions = .all
        /// Whether the transport itself waits for the networks that a transfer may use, also when the process has ended.
        package var transportWaits = false
        package var now: Moment

        package init(now: Moment) { self.now = now }
    }

    package struct Decision: Equatable, Sendable {
        package var start: [String] = []
        package var stop: [String] = []
        /// The time of the next decision, if no event comes before.
        package var wake: Moment?
    }

    /// Returns the transfers to start and to stop.
    ///
    /// Those that ran when the process ended come first. Others follow by priority, and by age within one. A running transfer
    /// is stopped if it is paused or its conditions do not hold, and never for one of a higher priority: an upload would begin
    /// again. Transfers that wait within the transport have places of their own, so that they keep no other waiting.
    package func decide(_ candidates: [Candidate], _ situation: Situation) -> Decision {
        var decision = Decision()
        var free = (met: limit, waiting: limit)
        for candidate in candidates where candidate.isRunning {
            if !candidate.isStopping, !isWanted(candidate, situation) { decision.stop.append(candidate.record.id) }
            if isMet(candidate, situation) { free.met -= 1 } else { free.waiting -= 1 }
        }
        let wanted = candidates.filter { !$0.isRunning && isWanted($0, situation) }
        let due = wanted.filter { ($0.notBefore ?? situation.now) <= situation.now }
        for candidate in due.sorted(by: Self.precedes) {
            let isMet = isMet(candidate, situation)
            guard (isMet ? free.met : free.waiting) > 0 else { continue }
            if isMet { free.met -= 1 } else { free.waiting -= 1 }
            decision.start.append(candidate.record.id)
        }
        decision.wake = wanted.compactMap(\.notBefore).filter { $0 > situation.now }.min()
        return decision
    }

    private func isWanted(_ candidate: Candidate, _ situation: Situation) -> Bool {
        guard !situation.isPaused, candidate.record.state == .waiting || candidate.record.state == .running else { return false }
        return missing(candidate, situation).isSubset(of: situation.transportWaits ? .ofNetwork : [])
    }

    private func isMet(_ candidate: Candidate, _ situation: Situation) -> Bool { missing(candidate, situation).isEmpty }

    private func missing(_ candidate: Candidate, _ situation: Situation) -> TransferConditions {
        candidate.record.conditions.union(.network).subtracting(situation.holding)
    }

    private static func precedes(_ left: Candidate, _ right: Candidate) -> Bool {
        let (leftRan, rightRan) = (left.record.state == .running, right.record.state == .running)
        if leftRan != rightRan { return leftRan }
        return precedes(left.record, right.record)
    }

    /// The order of the queue: by priority, then by age.
    static func precedes(_ left: TransferQueueRecord, _ right: TransferQueueRecord) -> Bool {
        left.priority == right.priority ? left.number < right.number : left.priority > right.priority
    }
}
