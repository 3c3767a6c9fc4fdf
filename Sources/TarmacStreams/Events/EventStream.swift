/// The Server-Sent Events of an endpoint, as a sequence.
///
/// Each iteration is a separate call, which starts when its first event is requested.
///
/// ```swift
/// for try await event in client.events(Chat(prompt)) { show(event.data) }
/// ```
/// Leaving the loop, or cancelling its task, ends the exchange with the server. The stream reads no further than the
/// current chunk, so a slow loop slows the server down.
public struct EventStream: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    let lastEventID: String
    let launch: StreamLaunch

    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: StreamReader(EventStreamParser(lastEventID: lastEventID), launch: launch))
    }

    public struct Iterator: AsyncIteratorProtocol {
        let reader: StreamReader<EventStreamParser>

        /// The id after which ``Client/events(_:after:configure:)`` can continue, also in another process. Empty if
        /// there is none.
        public var lastEventID: String { reader.parser.lastEventID }

        /// Returns the next event; `nil` at the end. Throws `TarmacError` or `CancellationError`.
        public mutating func next() async throws -> ServerSentEvent? { try await reader.next() }
    }
}
