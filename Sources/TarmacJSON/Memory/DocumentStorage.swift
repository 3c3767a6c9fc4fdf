/// The shared state of all values of one document: the bytes, kept by their owner, and their tape.
final class DocumentStorage: Sendable {
    // SAFETY: the pointers in these three are written here once and never through. The bytes live as long as `owner`,
    // the tape until `deinit`, and both are reached through this object alone, which every reader holds.
    private let owner: DocumentOwner
    let tape: Tape
    private let buffer: TapeBuffer
    let options: JSONDocument.Options
    /// The largest size of the tape in bytes while it was built.
    let peakTapeByteCount: Int
    // SAFETY: only `withLookups` touches it, under the lock of this document.
    nonisolated(unsafe) private var lookups = Lookups()

    /// - Throws: ``JSONError`` for text that is not JSON or exceeds a limit of `options`.
    init(_ owner: DocumentOwner, options: JSONDocument.Options) throws(JSONError) {
        let indexed = try owner.withText { text throws(JSONError) in try Indexer.run(text, options: options) }
        self.owner = owner
        buffer = indexed.tape
        tape = owner.withText { indexed.tape.tape(over: $0) }
        self.options = options
        peakTapeByteCount = indexed.peak * 8
    }

    deinit {
        buffer.free()
    }

    var byteCount: Int { owner.byteCount }

    /// The size of the tape in bytes.
    var tapeByteCount: Int { buffer.capacity * 8 }

    /// Calls `body` with the indexes that look-ups made, under the lock of this document. It must be short, and must
    /// not call it again.
    @inline(__always)
    func withLookups<Result>(_ body: (inout Lookups) -> Result) -> Result {
        DocumentLock.withLock(of: self) { unsafe body(&lookups) }
    }

    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe owner.withUnsafeBytes(body)
    }
}
