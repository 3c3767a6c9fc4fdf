public import TarmacCore

/// Finds Server-Sent Events in the chunks of a body, wherever these are split (WHATWG HTML §9.2.5 and §9.2.6).
///
/// It needs no client, no clock and no network, and holds one chunk and one event at a time:
///
/// ```swift
/// var parser = EventStreamParser()
/// parser.append(chunk)
/// while let event = try parser.next() { handle(event) }
/// ```
/// Text is UTF-8; what is not becomes U+FFFD. An event whose blank line never comes is not delivered.
public struct EventStreamParser: Sendable {
    private var limit: Int
    private var lines: LineSplitter
    private var fields: EventFields
    private var endMarker: String?
    private var documentOptions = Redactor.standardDocumentOptions

    /// - Parameters:
    ///   - maximumEventSize: the largest event and the longest line, in bytes. Default 16 MiB.
    ///   - lastEventID: the id of the last event before the first chunk. Default: none.
    public init(maximumEventSize: Int = 16 << 20, lastEventID: String = "") {
        limit = maximumEventSize
        lines = LineSplitter(.any, limit: limit)
        fields = EventFields(limit: limit, lastEventID: lastEventID)
    }

    /// The id to go on after; empty for none. An event's id counts once its blank line has come.
    public var lastEventID: String { fields.lastEventID }

    /// What the last `retry` field said, a day at most; `nil` without one.
    public var reconnectionTime: Duration? { fields.reconnectionTime }

    /// Takes the next chunk of the body, once ``next()`` has returned `nil`.
    public mutating func append(_ chunk: Bytes) { lines.append(chunk) }

    /// The next event; `nil` when another chunk is needed.
    ///
    /// - Throws: `TarmacError(.recordTooLarge)` for an event or a line beyond the limit.
    public mutating func next() throws(TarmacError) -> ServerSentEvent? {
        let chunk = lines.chunk
        if chunk.isEmpty { return nil }
        return try chunk.withUnsafeBytes { bytes throws(TarmacError) in
            while let line = try lines.next(in: bytes) {
                guard var event = try take(line, of: bytes) else { continue }
                event.documentOptions = documentOptions
                return event
            }
            return nil
        }
    }

    /// A further connection: what is left of the one before is forgotten, but not its id nor its `retry`.
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
        limit = opening.options.value(of: MaximumRecordSize.self)
        endMarker = opening.options.value(of: EventsOption.self).endMarker
        documentOptions = opening.documentOptions
        startOver(after: opening.lastEventID ?? lastEventID)
    }

    mutating func finish() {}

    func isEnd(_ event: ServerSentEvent) -> Bool { event.data == endMarker }

    var resumption: StreamResumption { StreamResumption(lastEventID: lastEventID, reconnectionTime: reconnectionTime) }
}
