#if Inspector
@_spi(TarmacRooms) import TarmacCore
import TarmacLog

/// Hands the changes of a log to the pages that are open.
final class Feed: Sendable {
    private struct State {
        var readers: [Int: PendingChanges] = [:]
        var next = 0
    }
    private let state = Locked(State())
    /// The number of pages that are live at once. A browser allows six connections to a host, and the pages need some to load.
    static let mostReaders = 4

    /// Follows the log until the task is cancelled.
    func follow(_ log: CallLog) async { for await update in log.updates { note(update) } }

    func note(_ update: CallLog.Update) {
        state.withLock { state in
            for reader in state.readers.keys { state.readers[reader]?.note(update) }
        }
    }

    /// Returns the place of a new page, or `nil` if there are too many. The place is free again when it is released.
    func open() -> FeedSession? {
        let reader = state.withLock { state -> Int? in
            guard state.readers.count < Self.mostReaders else { return nil }
            state.next += 1
            state.readers[state.next] = PendingChanges()
            return state.next
        }
        return reader.map { FeedSession(feed: self, reader: $0) }
    }

    /// How many more pages may be live.
    var placesLeft: Int { state.withLock { Self.mostReaders - $0.readers.count } }

    func close(_ reader: Int) { state.withLock { $0.readers[reader] = nil } }

    func take(_ reader: Int) -> PendingChanges.Batch? { state.withLock { $0.readers[reader]?.take() } }
}
#endif
