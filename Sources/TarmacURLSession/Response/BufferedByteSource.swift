@_spi(TarmacRooms) import TarmacCore

/// The reader's end of a ``StreamBuffer``. Its release ends the exchange.
final class BufferedByteSource: PouringSource {
    private let buffer: StreamBuffer

    init(_ buffer: StreamBuffer) { self.buffer = buffer }

    deinit { buffer.close() }

    func next() async throws -> Bytes? { try await buffer.next() }

    func pour(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws { try await buffer.pour(into: sink) }
}

extension BufferedByteSource {
    /// Returns the stream over a buffer. All its iterators share one source, so that an unread response ends
    /// too.
    static func stream(over buffer: StreamBuffer) -> ByteStream {
        let source = BufferedByteSource(buffer)
        return ByteStream { source }
    }
}
