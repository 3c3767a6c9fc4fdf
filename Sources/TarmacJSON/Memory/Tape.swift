/// The index of a document with the bytes that it describes, for all readers.
///
/// SAFETY: bare pointers without an owner. A `Tape` is only passed to code that holds the `DocumentStorage` for as long
/// (or, while a fault is reported, the indexer's buffer). Every access compares its place with the count of bytes or
/// words.
@safe struct Tape: @unchecked Sendable {
    private let bytes: UnsafePointer<UInt8>
    private let words: UnsafePointer<UInt64>
    let byteCount: Int
    /// The number of words of the document. One more follows: a null for missing values.
    let count: Int

    /// - Parameter count: The number of all words, including the one for missing values.
    init(bytes: UnsafeBufferPointer<UInt8>, words: UnsafePointer<UInt64>, count: Int) {
        guard let start = bytes.baseAddress, count > 0 else { preconditionFailure("no document is empty") }
        unsafe self.bytes = start
        unsafe self.words = words
        byteCount = bytes.count
        self.count = count - 1
    }

    @inline(__always)
    subscript(index: Int) -> TapeWord {
        precondition(UInt(bitPattern: index) <= UInt(bitPattern: count), "no such place on a tape")
        return TapeWord(bits: unsafe words[index])
    }

    /// Calls `body` with the complete text.
    @inline(__always)
    func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try unsafe body(Span(_unsafeStart: bytes, count: byteCount))
    }

    /// Calls `body` with the text of a scalar as written; for a string, with the text between the quotes.
    @inline(__always)
    func withText<Result>(of word: TapeWord, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        // Both have 30 bits, so the sum is not negative.
        precondition(word.offset &+ word.extent <= byteCount, "a word beyond its text")
        return try unsafe body(Span(_unsafeStart: bytes + word.offset, count: word.extent))
    }
}
