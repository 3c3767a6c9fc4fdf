extension Indexer {
    /// Validates `text`; returns its tape and the largest capacity in words, or the error of the first fault.
    static func run(_ text: Span<UInt8>, options: JSONDocument.Options) throws(JSONError) -> (tape: TapeBuffer, peak: Int) {
        let limit = min(options.sizeLimit, TapeWord.largestInput)
        guard text.count <= limit else {
            throw JSONError(.sizeExceeded, expected: "at most \(limit) bytes", found: "\(text.count) bytes")
        }
        let length = lengthWithoutTrailingWhitespace(text)
        guard length > 0 else {
            throw JSONError(
                .unexpectedEnd, offset: text.count, line: 1, column: 1, expected: "a value", found: "nothing")
        }
        if text.byte(at: 0) == 0xEF, text.byte(at: 1) == 0xBB, text.byte(at: 2) == 0xBF {
            throw JSONError(
                .byteOrderMark, offset: 0, line: 1, column: 1, expected: "a value",
                found: "a byte order mark (RFC 8259 §8.1)")
        }
        let indexer = Indexer(depthLimit: options.depthLimit, wordLimit: max(options.indexLimit, 0) / 8)
        // Common documents take 0.3 to 1 byte of tape for a byte of text.
        var tape = TapeBuffer(capacity: min(length / 12 + 16, indexer.wordLimit + 3))
        let last = text.byte(at: length - 1)
        let outcome =
            last == 0x7D || last == 0x5D
            ? indexer.index(text.extracting(0..<length), BracketedReading.self, into: &tape)
            : indexer.index(text.extracting(0..<length), CheckedReading.self, into: &tape)
        if let failure = outcome.failure {
            defer { tape.free() }
            throw FaultReport(tape: tape.tape(over: text), openContainer: outcome.openContainer, mask: KeyMask(options)).error(failure)
        }
        return (trimmed(tape), tape.capacity)
    }

    /// Returns the tape without the unused capacity, if there is enough of it to release.
    private static func trimmed(_ tape: TapeBuffer) -> TapeBuffer {
        tape.capacity > tape.count + tape.count / 8 + 16 ? tape.resized(to: tape.count) : tape
    }

    private static func lengthWithoutTrailingWhitespace(_ text: Span<UInt8>) -> Int {
        var length = text.count
        while length > 0, isWhitespace(text.byte(at: length - 1)) { length -= 1 }
        return length
    }
}
