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
        let open = Set(tape.openContainers(innermost: openContainer))
        for key in 0..<tape.count where isMaskable(key, tape) {
            let end = open.contains(key + 1) ? bytes.count : endOfValue(at: key + 1, tape)
            // Few keys stand near the fault; only those are read.
            guard end > snippet.window.lowerBound, mask.hides(tape.string(at: key)) else { continue }
            snippet.mask(tape[key].offset + tape[key].extent + 1..<end)
        }
        return snippet.text
    }

    private func isMaskable(_ index: Int, _ tape: Tape) -> Bool {
        let word = tape[index]
        // A name of 64 characters, each of them written as an escape.
        return word.isString && word.extent <= 64 * 6 && isKey(endingAt: word.offset + word.extent)
    }

    /// Where a value has ended at the latest: where the next one begins, with nothing but brackets, commas
    /// and space between. The end of the text if it is the last, or was still being read.
    private func endOfValue(at index: Int, _ tape: Tape) -> Int {
        guard index < tape.count else { return bytes.count }
        if !tape[index].isContainer { return tape.scalarRange(of: index).upperBound }
        let next = tape.next(after: index)
        return next < tape.count ? tape.startOffset(of: next) : bytes.count
    }

    /// Whether a colon follows the closing quote at `offset`.
    private func isKey(endingAt offset: Int) -> Bool {
        var position = offset + 1
        while position < bytes.count, Indexer.isWhitespace(bytes[position]) { position += 1 }
        return position < bytes.count && bytes[position] == 0x3A
    }
}
