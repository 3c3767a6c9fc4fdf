import Tarmac

/// The reader's end of a ``StreamBuffer``: letting it go ends the exchange.
final class BufferedByteSource: ByteStreamSource {
    private let buffer: StreamBuffer

    init(_ buffer: StreamBuffer) { self.buffer = buffer }

    deinit { buffer.close() }

    func next() async throws -> Bytes? { try await buffer.next() }
}

extension BufferedByteSource {
    /// The stream over a buffer. All its iterators share the one source, so that a response never read ends too.
    static func stream(over buffer: StreamBuffer) -> ByteStream {
        let source = BufferedByteSource(buffer)
        return ByteStream { source }
    }
}
