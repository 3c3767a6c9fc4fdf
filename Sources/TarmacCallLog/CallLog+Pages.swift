import TarmacCore

extension CallLog {
    /// Shows the calls, the newest first: at once, and again after changes until the task is cancelled, but no more often than at an interval.
    ///
    /// Calls are masked away from the actor of `show`.
    func followPages(
        every interval: Duration, time: any TimeSource = .system, show: @escaping @MainActor @Sendable ([CallPage]) -> Void
    ) async {
        // One signal stands for all changes that a reader has not seen yet.
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let updates = updates
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in updates { signal.yield() }
                signal.finish()
            }
            signal.yield()
            for await _ in signals {
                await show(pages)
                do { try await time.sleep(until: time.now.advanced(by: interval)) } catch { break }
            }
            group.cancelAll()
        }
    }

    private nonisolated var pages: [CallPage] { entries.reversed().map { CallPage(entry: $0) } }
}
