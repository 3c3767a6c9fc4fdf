@_spi(TarmacRooms) import TarmacCore

/// Counts the child tasks of a long-lived loop, so that the loop can remove finished ones from its group.
///
/// A task group keeps each finished child until `next()` returns it. A discarding task group does not, but needs
/// iOS 17 and macOS 14.
package final class ReapedTasks: Sendable {

    package init() {}
    private struct Counts {
        var kept = 0
        var mostKept = 0
        /// Children that have done their work and are still kept.
        var finished = 0
    }
    private let counts = Locked(Counts())

    /// The children that the group keeps: those at work, and those that have finished since the last ``reap(_:)``.
    package var kept: Int { counts.withLock { $0.kept } }

    /// The most children that the group has kept at one time.
    var mostKept: Int { counts.withLock { $0.mostKept } }

    /// Adds a child.
    /// - Parameter ended: runs as the child's last step, when ``reap(_:)`` can remove it.
    package func add(to group: inout TaskGroup<Void>, work: @escaping @Sendable () async -> Void, ended: @escaping @Sendable () -> Void) {
        counts.withLock { counts in
            counts.kept += 1
            counts.mostKept = max(counts.mostKept, counts.kept)
        }
        group.addTask {
            await work()
            self.counts.withLock { $0.finished += 1 }
            ended()
        }
    }

    /// Removes the children that have finished. Waits for the last steps of a child, not for its work.
    package func reap(_ group: inout TaskGroup<Void>) async {
        let finished = counts.withLock { counts in
            defer { counts.finished = 0 }
            return counts.finished
        }
        for _ in 0..<finished { await group.next() }
        counts.withLock { $0.kept -= finished }
    }
}
