import TarmacCore

/// What finds the events, lines or texts of a streamed body in its chunks (pure).
protocol RecordParser: Sendable {
    associatedtype Record: StreamRecord

    /// A connection is there, the first or another: what is left of the one before is forgotten.
    mutating func begin(_ opening: StreamOpening)
    /// Takes the next chunk, once ``next()`` has nothing more.
    mutating func append(_ chunk: Bytes)
    /// The next record; `nil` when more of the body is needed.
    mutating func next() throws(TarmacError) -> Record?
    /// The body has ended well: ``next()`` returns what of the rest counts.
    mutating func finish() throws(TarmacError)
    /// Whether a record says that the stream ends here, and is none itself.
    func isEnd(_ record: Record) -> Bool
    /// What a further connection needs to know.
    var resumption: StreamResumption { get }
}

extension RecordParser {
    func isEnd(_ record: Record) -> Bool { false }
    var resumption: StreamResumption { StreamResumption() }
}

/// From where on a further connection is to go on, and when.
struct StreamResumption: Sendable, Equatable {
    /// The id of the last event; empty for none.
    var lastEventID = ""
    /// How long the server wants a client to wait before it connects again.
    var reconnectionTime: Duration?
}

/// An event, a line or a text.
protocol StreamRecord: Sendable {
    /// What an error about it shows.
    var content: Bytes { get }
}

extension ServerSentEvent: StreamRecord {
    var content: Bytes { Bytes(data) }
}

extension Bytes: StreamRecord {
    var content: Bytes { self }
}
