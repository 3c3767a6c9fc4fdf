#if Inspector
@_spi(TarmacRooms) import TarmacCore
import TarmacCallLog

/// Hands the changes of a log to the pages that are open.
final class Feed: Sendable {
    private struct Reader {
        var changes = PendingChanges()
        /// Ends the wait of a page that has seen everything.
        var signal: Settlement<Void>?
    }
    private struct State {
        var readers: [Int: Reader] = [:]
        var next = 0
        var recent = RecentSummaries()
    }
    private let state = Locked(State())
    /// The number of pages that are live at once. A browser allows six connections to a host, and the pages need some to load.
    static let mostReaders = 4

    /// Follows the changes of a log until the task is cancelled.
    func follow(_ updates: AsyncStream<CallLog.Update>) async { for await update in updates { note(update) } }

    func note(_ update: CallLog.Update) {
        let signals = state.withLock { state -> [Settlement<Void>] in
            state.recent.note(update)
            var signals: [Settlement<Void>] = []
            for reader in state.readers.keys {
                state.readers[reader]?.changes.note(update)
                guard let signal = state.readers[reader]?.signal else { continue }
                state.readers[reader]?.signal = nil
                signals.append(signal)
            }
            return signals
        }
        for signal in signals { signal.settle(.success(())) }
    }

    /// Returns the place of a new page, or `nil` if there are too many. The place is free again when it is released.
    func open() -> FeedSession? {
        let reader = state.withLock { state -> Int? in
            guard state.readers.count < Self.mostReaders else { return nil }
            state.next += 1
            state.readers[state.next] = Reader()
            return state.next
        }
        return reader.map { FeedSession(feed: self, reader: $0) }
    }

    /// How many more pages may be live.
    var placesLeft: Int { state.withLock { Self.mostReaders - $0.readers.count } }

    func close(_ reader: Int) { state.withLock { $0.readers[reader] = nil } }

    func take(_ reader: Int) -> PendingChanges.Batch? { state.withLock { $0.readers[reader]?.changes.take() } }

    /// Returns what ends with the next change, or `nil` if there is one that the page has not seen.
    func signal(for reader: Int) -> Settlement<Void>? {
        state.withLock { state in
            guard let waiting = state.readers[reader], !waiting.changes.hasChanges else { return nil }
            let signal = Settlement<Void>()
            state.readers[reader]?.signal = signal
            return signal
        }
    }

    /// Whether all pages wait for a change.
    var isIdle: Bool { state.withLock { $0.readers.values.allSatisfy { $0.signal != nil } } }

    // MARK: Summaries

    /// Returns the lines of calls on the board, in the order of their starts. Several pages ask for the same ones at the same time.
    func summaries(of ids: Set<UInt64>, from calls: CallSource, now: ContinuousClock.Instant = .now) -> [CallSummary] {
        let (known, round) = state.withLock { state in
            state.recent.begin(at: now)
            return (state.recent.known(ids), state.recent.round)
        }
        let made = calls.summaries(of: ids.subtracting(known.keys))
        state.withLock { $0.recent.keep(made, madeIn: round) }
        return (known.values + made).sorted { $0.id < $1.id }
    }
}
#endif
