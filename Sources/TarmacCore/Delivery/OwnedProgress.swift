@_spi(TarmacRooms) import TarmacHTTP

/// Delivers the progress of a work to its owner on the main actor, never backwards and never after the result.
@MainActor
final class OwnedProgress<Progress: Sendable> {
    private let deliver: (Progress) -> Void
    private let latest = Locked<Progress?>(nil)
    private var isOver = false

    init?<Owner: AnyObject>(_ owner: Owner, _ progress: (@MainActor (Owner, Progress) -> Void)?) {
        guard let progress else { return nil }
        deliver = { [weak owner] in
            if let owner { progress(owner, $0) }
        }
    }

    /// Receives the progress, on any thread.
    nonisolated var report: @Sendable (Progress) -> Void {
        { progress in
            let isAwaited = self.latest.withLock { latest in
                defer { latest = progress }
                return latest != nil
            }
            // LIFETIME: one hop to the main actor, which delivers the latest progress.
            if !isAwaited { Task { @MainActor in self.show() } }
        }
    }

    /// Delivers progress that is pending, and none after that.
    func stop() {
        show()
        isOver = true
    }

    private func show() {
        let progress = latest.withLock { latest in
            defer { latest = nil }
            return latest
        }
        if let progress, !isOver { deliver(progress) }
    }
}
