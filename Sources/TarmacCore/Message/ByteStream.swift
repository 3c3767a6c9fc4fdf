/// A sequence of byte chunks, read once by one reader, with back-pressure: the producer waits for `next()`.
///
/// Dropping the iterator before its end, or cancelling the reading task, ends the exchange behind it.
public struct ByteStream: AsyncSequence, Sendable {
    public typealias Element = Bytes

    package let makeSource: @Sendable () -> any ByteStreamSource
    /// Whether every source is a ``SteadySource``.
    package let isSteady: Bool

    /// A stream over a source; the closure runs once for each iterator.
    public init(_ makeSource: @escaping @Sendable () -> any ByteStreamSource) { self.init(makeSource, isSteady: false) }

    private init(_ makeSource: @escaping @Sendable () -> any ByteStreamSource, isSteady: Bool) {
        self.makeSource = makeSource
        self.isSteady = isSteady
    }

    /// A stream that waits for nobody. No initialiser, as a trailing closure would choose it by the type of what it makes.
    package static func steady(_ makeSource: @escaping @Sendable () -> any SteadySource) -> ByteStream {
        ByteStream({ makeSource() }, isSteady: true)
    }

    /// A stream over any sequence of chunks.
    public init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == Bytes {
        self.init { SequenceSource(chunks.makeAsyncIterator()) }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(source: makeSource()) }

    public struct Iterator: AsyncIteratorProtocol {
        package let source: any ByteStreamSource

        /// The next chunk, never empty; `nil` at the end.
        public mutating func next() async throws -> Bytes? {
            while let chunk = try await source.next() {
                if !chunk.isEmpty { return chunk }
            }
            return nil
        }
    }

    /// Reads the rest into one run of bytes; throws `TarmacError(.bodyTooLarge)` beyond `limit` bytes.
    public func collect(upTo limit: Int) async throws -> Bytes {
        var collector = ByteCollector(limit: limit)
        for try await chunk in self { try collector.append(chunk) }
        return collector.finish()
    }

    /// Hands every chunk to `sink`, in order. A source that can does so on the thread the chunks arrive on, so that none waits for the
    /// reader's turn; what `sink` throws ends the exchange and is thrown as it is.
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

/// What a ``ByteStream`` reads from. One reader at a time calls `next()`.
public protocol ByteStreamSource: AnyObject, Sendable {
    /// The next chunk, or `nil` at the end.
    func next() async throws -> Bytes?
}

/// A source whose bytes are in memory or in a file, so that a thread nobody must hold up may read it.
package protocol SteadySource: ByteStreamSource {
    /// Fills the buffer with at least one byte, or returns 0 at the end. Who reads so does not call `next()`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A source that can hand its chunks on where they arrive.
package protocol PouringSource: ByteStreamSource {
    /// Hands every chunk to `sink`, one after the other, and returns at the end. No call of `sink` is under way once it has returned.
    func pour(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws
}

extension ByteStreamSource {
    /// Pours where the source can, and else reads in a loop.
    package func pourAll(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws {
        if let source = self as? any PouringSource { return try await source.pour(into: sink) }
        while let chunk = try await next() { try sink(chunk) }
    }
}

/// Gathers chunks up to a limit.
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

    /// The chunks as one; a single chunk is handed on as it came.
    package func finish() -> Bytes { joined.isEmpty ? first ?? .empty : Bytes(joined) }
}

private final class SequenceSource<Iterator: AsyncIteratorProtocol>: ByteStreamSource where Iterator.Element == Bytes {
    // SAFETY: a ByteStream has one reader, which awaits each `next()` before the following one.
    private nonisolated(unsafe) var iterator: Iterator

    init(_ iterator: sending Iterator) { self.iterator = iterator }

    func next() async throws -> Bytes? { try await iterator.next() }
}
