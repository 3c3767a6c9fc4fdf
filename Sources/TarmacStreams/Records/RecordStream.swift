public import TarmacCore

/// The decoded values of a streamed body, as a sequence.
///
/// Each iteration is a separate call, which starts when its first value is requested. Leaving the loop, or cancelling
/// its task, ends the exchange with the server. The stream reads no further than the current chunk, so a slow loop
/// slows the server down.
public struct RecordStream<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value

    let makeSource: @Sendable () -> any RecordSource<Value>

    init(_ makeSource: @escaping @Sendable () -> any RecordSource<Value>) { self.makeSource = makeSource }

    public func makeAsyncIterator() -> Iterator { Iterator(source: makeSource()) }

    public struct Iterator: AsyncIteratorProtocol {
        let source: any RecordSource<Value>

        /// Returns the next value; `nil` at the end. Throws `TarmacError` or `CancellationError`.
        public mutating func next() async throws -> Value? { try await source.next() }
    }
}

/// The source of a ``RecordStream``. Only one reader at a time calls `next()`.
protocol RecordSource<Value>: AnyObject, Sendable {
    associatedtype Value: Sendable
    func next() async throws -> Value?
}

/// The handling of an event, line or text that cannot be decoded.
public enum DamagedRecords: Sendable {
    /// Ends the stream with the error.
    case fail
    /// Skips the record. The closure receives the error, on any thread.
    case skip(_ report: @Sendable (TarmacError) -> Void)
}

/// A source that converts the records of a stream to values.
final class DecodedRecords<Parser: RecordParser, Value: Sendable>: RecordSource {
    private let reader: StreamReader<Parser>
    /// The noun for a record in error messages.
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
            // A record exists only after a connection has opened.
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

    /// Returns the error with the record's number in front of its reason.
    private func named(_ error: any Error, _ record: Parser.Record, _ opening: StreamOpening) -> any Error {
        guard let error = TarmacError.publicError(error) as? TarmacError else { return error }
        let known = TarmacError(
            error.code, phase: error.phase, "\(noun) \(reader.count) of the stream: \(error.reason)", suggestion: error.suggestion,
            cause: error.cause, path: error.path)
        return known.with(response: error.response ?? opening.payload(of: record.content).snapshot)
    }
}
