/// A sequence of byte chunks with back-pressure, for one reader. The producer waits for `next()`.
///
/// If the reader drops the iterator before its end, or if its task is cancelled, the exchange behind the stream
/// ends.
public struct ByteStream: AsyncSequence, Sendable {
    public typealias Element = Bytes

    package let makeSource: @Sendable () -> any ByteStreamSource
    /// Whether every source is a ``SteadySource``.
    package let isSteady: Bool
    /// The form that the stream is.
    package var form: BodyForm?
    /// The parts of a multipart body in words, for logs: names and lengths, and no values.
    package var outline: [String]? { form?.outline }

    /// Makes a stream over a source. The closure runs once for each iterator.
    @_spi(TarmacRooms) public init(_ makeSource: @escaping @Sendable () -> any ByteStreamSource) { self.init(makeSource, isSteady: false) }

    private init(_ makeSource: @escaping @Sendable () -> any ByteStreamSource, isSteady: Bool) {
        self.makeSource = makeSource
        self.isSteady = isSteady
    }

    /// Returns a stream whose source never waits.
    ///
    /// It is not an initializer, because a trailing closure would select the overload by the type of its
    /// result.
    package static func steady(_ makeSource: @escaping @Sendable () -> any SteadySource) -> ByteStream {
        ByteStream({ makeSource() }, isSteady: true)
    }

    /// Makes a stream over any sequence of chunks.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == Bytes {
        self.init { SequenceSource(chunks.makeAsyncIterator()) }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(source: makeSource()) }

    public struct Iterator: AsyncIteratorProtocol {
        package let source: any ByteStreamSource

        /// Returns the next chunk, which is never empty, or `nil` at the end.
        public mutating func next() async throws -> Bytes? {
            while let chunk = try await source.next() {
                if !chunk.isEmpty { return chunk }
            }
            return nil
        }
    }

    /// Returns the remaining bytes.
    ///
    /// - Throws: `TarmacError(.bodyTooLarge)` if there are more than `limit` bytes.
    public func collect(upTo limit: Int) async throws -> Bytes {
        var collector = ByteCollector(limit: limit)
        for try await chunk in self { try collector.append(chunk) }
        return collector.finish()
    }

    /// Passes every chunk to `sink`, in order.
    ///
    /// If the source supports it, `sink` runs on the thread where the chunks arrive, so that no chunk waits for
    /// the reader. An error that `sink` throws ends the exchange and is thrown unchanged.
    package func pour(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws {
        let refusal = Locked<(any Error)?>(nil)
        do {
            try await makeSource().pourAll { chunk in
                do { if !chunk.isEmpty { try sink(chunk) } } catch {
                    refusal.withLock { $0 = error }
                    throw error
                }
            }
        } catch {
            throw refusal.withLock { $0 } ?? error
        }
    }
}

/// A source of a ``ByteStream``. Only one reader at a time calls `next()`.
public protocol ByteStreamSource: AnyObject, Sendable {
    /// Returns the next chunk, or `nil` at the end.
    func next() async throws -> Bytes?
}

/// A source whose bytes are in memory or in a file, so that a thread that must not block may read it.
package protocol SteadySource: ByteStreamSource {
    /// Fills the buffer with at least one byte, or returns 0 at the end. A reader that uses this method does
    /// not call `next()`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A source that can pass its chunks on from the thread where they arrive.
package protocol PouringSource: ByteStreamSource {
    /// Passes every chunk to `sink`, one after the other, and returns at the end. After it returns, no call of
    /// `sink` is running.
    func pour(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws
}

extension ByteStreamSource {
    /// Passes every chunk to `sink`: with ``PouringSource/pour(into:)`` if the source has it, and in a read
    /// loop otherwise.
    package func pourAll(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws {
        if let source = self as? any PouringSource { return try await source.pour(into: sink) }
        while let chunk = try await next() { try sink(chunk) }
    }
}

/// Collects chunks up to a limit.
package struct ByteCollector: Sendable {
    private let limit: Int
    private var first: Bytes?
    private var joined: [UInt8] = []

    package init(limit: Int) { self.limit = limit }

    package var count: Int { joined.isEmpty ? first?.count ?? 0 : joined.count }

    package mutating func append(_ chunk: Bytes) throws(TarmacError) {
        guard chunk.count <= limit - count else { throw .bodyTooLarge(limit: limit) }
        if joined.isEmpty, first == nil {
            first = chunk
        } else {
            if let first, joined.isEmpty { first.withUnsafeBytes { joined.append(contentsOf: $0) } }
            chunk.withUnsafeBytes { joined.append(contentsOf: $0) }
        }
    }

    /// Returns the chunks as one. A single chunk is returned without a copy.
    package func finish() -> Bytes { joined.isEmpty ? first ?? .empty : Bytes(joined) }
}

private final class SequenceSource<Iterator: AsyncIteratorProtocol>: ByteStreamSource where Iterator.Element == Bytes {
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var iterator: Iterator

    init(_ iterator: sending Iterator) { self.iterator = iterator }

    func next() async throws -> Bytes? { try await iterator.next() }
}
