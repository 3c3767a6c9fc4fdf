import TarmacCore

/// Parses the events, lines or texts of a streamed body from its chunks (pure).
protocol RecordParser: Sendable {
    associatedtype Record: StreamRecord

    /// Starts the first or another connection, and discards the rest of the one before.
    mutating func begin(_ opening: StreamOpening)
    /// Adds the next chunk, after ``next()`` has returned `nil`.
    mutating func append(_ chunk: Bytes)
    /// Returns the next record; `nil` if more of the body is needed.
    mutating func next() throws(TarmacError) -> Record?
    /// Handles the normal end of the body: ``next()`` then returns what remains.
    mutating func finish() throws(TarmacError)
    /// Whether a record marks the end of the stream and is not delivered.
    func isEnd(_ record: Record) -> Bool
    /// The state for another connection.
    var resumption: StreamResumption { get }
}

extension RecordParser {
    func isEnd(_ record: Record) -> Bool { false }
    var resumption: StreamResumption { StreamResumption() }
}

/// The point and the time at which another connection continues.
struct StreamResumption: Sendable, Equatable {
    /// The id of the last event; empty for none.
    var lastEventID = ""
    /// The pause that the server asked for before a reconnection.
    var reconnectionTime: Duration?
}

/// An event, a line or a text.
protocol StreamRecord: Sendable {
    /// The content for an error.
    var content: Bytes { get }
}

extension ServerSentEvent: StreamRecord {
    var content: Bytes { Bytes(data) }
}

extension Bytes: StreamRecord {
    var content: Bytes { self }
}
