/// Turns the place where indexing stopped into the error a person can act on.
struct FaultReport {
    let bytes: UnsafeRawBufferPointer
    let words: UnsafeBufferPointer<UInt64>
    /// The innermost container that was open; -1 for none.
    let openContainer: Int
    let mask: KeyMask

    func error(_ failure: Indexer.Failure) -> JSONError {
        let position = LineIndex(bytes, upTo: failure.offset).position(of: failure.offset)
        let path = tape.map { $0.openPath(innermost: openContainer) } ?? JSONPath()
        return JSONError(
            failure.code, path: path, offset: failure.offset, line: position.line, column: position.column,
            expected: failure.expected, found: found(at: failure.offset, code: failure.code),
            snippet: snippet(before: failure.offset))
    }

    private var tape: Tape? {
        guard let base = bytes.baseAddress, let start = words.baseAddress else { return nil }
        return Tape(bytes: base.assumingMemoryBound(to: UInt8.self), words: start, count: words.count)
    }

    private func found(at offset: Int, code: JSONError.Code) -> String? {
        guard offset < bytes.count else { return "the end of the document" }
        guard code == .unexpectedCharacter || code == .trailingContent else { return nil }
        let byte = bytes[offset]
        return 0x21...0x7E ~= byte
            ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x" + String(byte, radix: 16, uppercase: true)
    }

    private func snippet(before offset: Int) -> String? {
        guard let tape else { return nil }
        var snippet = Snippet(bytes: bytes, before: offset)
        for key in 0..<tape.count where isMaskedKey(key, tape) {
            let start = tape[key].offset + tape[key].extent + 1
            snippet.mask(start..<endOfValue(at: key + 1, tape))
        }
        return snippet.text
    }

    private func isMaskedKey(_ index: Int, _ tape: Tape) -> Bool {
        let word = tape[index]
        return word.isString && word.extent <= 64 && isKey(endingAt: word.offset + word.extent)
            && mask.hides(tape.string(at: index))
    }

    /// Where a masked value ends; the end of the text if it was still being read.
    private func endOfValue(at index: Int, _ tape: Tape) -> Int {
        guard index < tape.count, !openContainers.contains(index) else { return bytes.count }
        return tape.byteRange(of: index).upperBound
    }

    private var openContainers: [Int] {
        tape.map { $0.openContainers(innermost: openContainer) } ?? []
    }

    /// Whether a colon follows the closing quote at `offset`.
    private func isKey(endingAt offset: Int) -> Bool {
        var position = offset + 1
        while position < bytes.count, Indexer.isWhitespace(bytes[position]) { position += 1 }
        return position < bytes.count && bytes[position] == 0x3A
    }
}
