public import TarmacCore

/// Parses Server-Sent Events from the chunks of a body, wherever they are split (WHATWG HTML §9.2.5 and §9.2.6).
///
/// The parser needs no client, clock or network, and holds one chunk and one event at a time:
///
/// ```swift
/// var parser = EventStreamParser()
/// parser.append(chunk)
/// while let event = try parser.next() { handle(event) }
/// ```
/// Text is UTF-8; invalid bytes become U+FFFD. An event without its final blank line is not delivered.
public struct EventStreamParser: Sendable {
    private var limit: Int
    private var lines: LineSplitter
    private var fields: EventFields
    private var endMarker: String?
    private var documentOptions = Redactor.standardDocumentOptions
    private var payload: (@Sendable (Bytes) -> Payload)?

    /// - Parameters:
    ///   - maximumEventSize: The largest event and the longest line, in bytes. A number below zero counts as zero. Default: 16 MiB.
    ///   - lastEventID: The id of the last event before the first chunk. Default: none.
    public init(maximumEventSize: Int = 16 << 20, lastEventID: String = "") {
        limit = max(maximumEventSize, 0)
        lines = LineSplitter(.any, limit: limit)
        fields = EventFields(limit: limit, lastEventID: lastEventID)
    }

    /// The id after which a stream can continue; empty if there is none. An event's id counts once its blank line has
    /// arrived.
    public var lastEventID: String { fields.lastEventID }

    /// The value of the last `retry` field, at most one day; `nil` if there was none.
    public var reconnectionTime: Duration? { fields.reconnectionTime }

    /// Adds the next chunk of the body. Call it after ``next()`` has returned `nil`.
    public mutating func append(_ chunk: Bytes) { lines.append(chunk) }

    /// Returns the next event; `nil` when another chunk is needed.
    ///
    /// - Throws: `TarmacError(.recordTooLarge)` for an event or a line larger than the limit.
    public mutating func next() throws(TarmacError) -> ServerSentEvent? {
        let chunk = lines.chunk
        if chunk.isEmpty { return nil }
        return try chunk.withUnsafeBytes { bytes throws(TarmacError) in
            while let line = try lines.next(in: bytes) {
                guard var event = try take(line, of: bytes) else { continue }
                (event.documentOptions, event.payload) = (documentOptions, payload)
                return event
            }
            return nil
        }
    }

    /// Prepares for another connection: discards unparsed input, and keeps the last id and the `retry` value.
    public mutating func startOver() { startOver(after: lastEventID) }

    private mutating func startOver(after lastEventID: String) {
        lines = LineSplitter(.any, limit: limit)
        fields = EventFields(limit: limit, lastEventID: lastEventID, reconnectionTime: reconnectionTime)
    }

    private mutating func take(_ line: LineSplitter.Line, of bytes: UnsafeRawBufferPointer) throws(TarmacError) -> ServerSentEvent? {
        switch line {
        case .inChunk(let range): try fields.take(UnsafeRawBufferPointer(rebasing: bytes[range]))
        case .joined(let joined): try Bytes(joined).withUnsafeBytes { line throws(TarmacError) in try fields.take(line) }
        }
    }
}

extension EventStreamParser: RecordParser {
    mutating func begin(_ opening: StreamOpening) {
        limit = opening.options.value(of: Settings.maximumRecordSize)
        endMarker = opening.options.value(of: Settings.events).endMarker
        documentOptions = opening.documentOptions
        payload = opening.withoutBody.payload(of:)
        startOver(after: opening.lastEventID ?? lastEventID)
    }

    mutating func finish() {}

    func isEnd(_ event: ServerSentEvent) -> Bool { event.data == endMarker }

    var resumption: StreamResumption { StreamResumption(lastEventID: lastEventID, reconnectionTime: reconnectionTime) }
}
