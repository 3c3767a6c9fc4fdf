#if Inspector
import FlyingSocks
import TarmacLog

/// The events of one page, as a body that FlyingFox sends. A page that reads slowly holds up itself alone.
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
        private var quiet = 0
        /// Changes go out ten times a second, and without any a sign every five seconds.
        private static let pause = Duration.milliseconds(100), longestQuiet = 50

        fileprivate init(session: FeedSession, calls: CallSource) { (self.session, self.calls) = (session, calls) }

        mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            while rest.isEmpty {
                try await Task.sleep(for: Self.pause)
                rest = events()[...]
            }
            let piece = rest.prefix(count)
            rest = rest.dropFirst(piece.count)
            return piece
        }

        private mutating func events() -> [UInt8] {
            if let batch = session.take() {
                quiet = 0
                return EventText.text(batch, calls.summaries(of: batch.changed))
            }
            quiet += 1
            if quiet < Self.longestQuiet { return [] }
            quiet = 0
            return EventText.pulse
        }
    }
}

/// The place of a page in the feed, until its connection is gone.
final class FeedSession: Sendable {
    private let feed: Feed
    private let reader: Int

    init(feed: Feed, reader: Int) { (self.feed, self.reader) = (feed, reader) }

    func take() -> PendingChanges.Batch? { feed.take(reader) }

    deinit { feed.close(reader) }
}
#endif
