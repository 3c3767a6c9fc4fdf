/// What all values of one document share: the bytes, kept by their owner, and the tape over them.
final class DocumentStorage: Sendable {
    let owner: DocumentOwner
    // SAFETY: the three pointers below are written here once and never through. The bytes live as long
    // as `owner`, the tape until `deinit`.
    nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
    nonisolated(unsafe) let tape: Tape
    nonisolated(unsafe) private let buffer: TapeBuffer
    let options: JSONDocument.Options

    /// - Throws: ``JSONError`` for text that is not JSON or exceeds a limit of `options`.
    init(
        _ held: (owner: DocumentOwner, bytes: UnsafeRawBufferPointer), options: JSONDocument.Options
    ) throws(JSONError) {
        defer { withExtendedLifetime(held.owner) {} }
        let (buffer, count) = try Indexer.run(held.bytes, options: options)
        guard let base = held.bytes.baseAddress else { preconditionFailure("no document is empty") }
        owner = held.owner
        bytes = held.bytes
        tape = Tape(bytes: base.assumingMemoryBound(to: UInt8.self), words: buffer.words, count: count)
        self.buffer = buffer
        self.options = options
    }

    deinit {
        buffer.free()
    }

    /// Bytes the tape takes.
    var tapeByteCount: Int { buffer.capacity * 8 }
}
