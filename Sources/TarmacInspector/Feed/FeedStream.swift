#if Inspector
import FlyingSocks
@_spi(TarmacRooms) import TarmacCore
import TarmacCallLog

/// The events of one page, as a body without an end. A page that reads slowly holds up itself alone.
struct FeedStream: AsyncBufferedSequence, Sendable {
    typealias Element = UInt8

    /// It belongs to the stream and not to its iterator, because a response may fail before its body is read.
    let session: FeedSession
    let calls: CallSource

    func makeAsyncIterator() -> Iterator { Iterator(session: session, calls: calls) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        fileprivate let session: FeedSession
        fileprivate let calls: CallSource
        private var rest: ArraySlice<UInt8> = EventText.hello[...]
        /// Changes go out ten times a second, and without any a sign every five seconds.
        private static let pause = Duration.milliseconds(100), longestQuiet = Duration.seconds(5)

        fileprivate init(session: FeedSession, calls: CallSource) { (self.session, self.calls) = (session, calls) }

        mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            while rest.isEmpty { rest = try await events()[...] }
            let piece = rest.prefix(count)
            rest = rest.dropFirst(piece.count)
            return piece
        }

        private func events() async throws -> [UInt8] {
            guard try await session.hasChanged(within: Self.longestQuiet) else { return EventText.pulse }
            // More changes follow, and go out together.
            try await Task.sleep(for: Self.pause)
            guard let batch = session.take() else { return [] }
            return EventText.text(batch, session.summaries(of: batch.changed, from: calls))
        }
    }
}

/// The place of a page in the feed, until its connection is gone.
final class FeedSession: Sendable {
    private let feed: Feed
    private let reader: Int

    init(feed: Feed, reader: Int) { (self.feed, self.reader) = (feed, reader) }

    func take() -> PendingChanges.Batch? { feed.take(reader) }
    func summaries(of ids: Set<UInt64>, from calls: CallSource) -> [CallSummary] { feed.summaries(of: ids, from: calls) }

    /// Returns as soon as there are changes that the page has not seen, with `false` if there are none for the given time.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    nonisolated(nonsending) func hasChanged(within limit: Duration) async throws -> Bool {
        guard let signal = feed.signal(for: reader) else { return true }
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await signal.value()
                return true
            }
            group.addTask {
                try await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }

    deinit { feed.close(reader) }
}
#endif
