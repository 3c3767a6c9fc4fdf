public import TarmacCore

/// What a streamed body brings, decoded piece by piece, as a sequence: every iteration is a call of its own, which takes off
/// with the first value that is asked for.
///
/// Whoever leaves the loop, or is cancelled, ends the exchange on the wire. Nothing is read ahead of the loop but the chunk
/// it is in: a slow loop slows the server down.
public struct RecordStream<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value

    let makeSource: @Sendable () -> any RecordSource<Value>

    init(_ makeSource: @escaping @Sendable () -> any RecordSource<Value>) { self.makeSource = makeSource }

    public func makeAsyncIterator() -> Iterator { Iterator(source: makeSource()) }

    public struct Iterator: AsyncIteratorProtocol {
        let source: any RecordSource<Value>

        /// The next value; `nil` at the end. Throws `TarmacError` or `CancellationError`.
        public mutating func next() async throws -> Value? { try await source.next() }
    }
}

/// What a ``RecordStream`` reads from. One reader at a time calls `next()`.
protocol RecordSource<Value>: AnyObject, Sendable {
    associatedtype Value: Sendable
    func next() async throws -> Value?
}

/// What becomes of an event, line or text that cannot be decoded.
public enum DamagedRecords: Sendable {
    /// It ends the stream with its error.
    case fail
    /// It is passed over; the closure is told of it, from any thread.
    case skip(_ report: @Sendable (TarmacError) -> Void)
}

/// The records of a stream made into values.
final class DecodedRecords<Parser: RecordParser, Value: Sendable>: RecordSource {
    private let reader: StreamReader<Parser>
    /// What a record is called in errors.
    private let noun: String
    private let damaged: DamagedRecords
    private let decode: @Sendable (Parser.Record, StreamOpening) throws -> Value?

    init(
        _ reader: StreamReader<Parser>, noun: String, damaged: DamagedRecords,
        decode: @escaping @Sendable (Parser.Record, StreamOpening) throws -> Value?
    ) {
        self.reader = reader
        self.noun = noun
        self.damaged = damaged
        self.decode = decode
    }

    func next() async throws -> Value? {
        while let record = try await reader.next() {
            // A record has come from a connection.
            guard let opening = reader.opening else { return nil }
            do {
                if let value = try decode(record, opening) { return value }
            } catch {
                let fault = named(error, record, opening)
                guard case .skip(let report) = damaged, let failure = fault as? TarmacError else { throw await reader.ended(by: fault) }
                report(failure)
            }
        }
        return nil
    }

    /// The error with the record's number in front of its reason.
    private func named(_ error: any Error, _ record: Parser.Record, _ opening: StreamOpening) -> any Error {
        guard let error = TarmacError.publicError(error) as? TarmacError else { return error }
        let known = TarmacError(
            error.code, phase: error.phase, "\(noun) \(reader.count) of the stream: \(error.reason)", suggestion: error.suggestion,
            cause: error.cause, path: error.path)
        return known.with(response: error.response ?? opening.payload(of: record.content).snapshot)
    }
}
