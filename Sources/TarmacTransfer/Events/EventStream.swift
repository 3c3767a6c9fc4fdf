/// The Server-Sent Events of an endpoint, as a sequence: every iteration is a call of its own, which takes off with the
/// first event that is asked for.
///
/// ```swift
/// for try await event in client.events(Chat(prompt)) { show(event.data) }
/// ```
/// Whoever leaves the loop, or is cancelled, ends the exchange on the wire. Nothing is read ahead of the loop but the chunk
/// it is in: a slow loop slows the server down.
public struct EventStream: AsyncSequence, Sendable {
    public typealias Element = ServerSentEvent

    let lastEventID: String
    let launch: StreamLaunch

    public func makeAsyncIterator() -> Iterator {
        Iterator(reader: StreamReader(EventStreamParser(lastEventID: lastEventID), launch: launch))
    }

    public struct Iterator: AsyncIteratorProtocol {
        let reader: StreamReader<EventStreamParser>

        /// The id to go on after: with ``Client/events(_:after:configure:)``, in another process perhaps. Empty for none.
        public var lastEventID: String { reader.parser.lastEventID }

        /// The next event; `nil` at the end. Throws `TarmacError` or `CancellationError`.
        public mutating func next() async throws -> ServerSentEvent? { try await reader.next() }
    }
}
