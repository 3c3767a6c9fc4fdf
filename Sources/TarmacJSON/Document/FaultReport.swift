/// Turns the place where indexing stopped into the error a person can act on.
struct FaultReport {
    let tape: Tape
    /// The innermost container that was open; -1 for none.
    let openContainer: Int
    let mask: KeyMask

    func error(_ failure: Indexer.Failure) -> JSONError {
        let position = tape.withBytes { LineIndex($0, upTo: failure.offset) }.position(of: failure.offset)
        return JSONError(
            failure.code, path: tape.openPath(innermost: openContainer), offset: failure.offset, line: position.line,
            column: position.column, expected: failure.expected, found: found(at: failure.offset, code: failure.code),
            snippet: snippet(before: failure.offset))
    }

    private func found(at offset: Int, code: JSONError.Code) -> String? {
        guard offset < tape.byteCount else { return "the end of the document" }
        guard code == .unexpectedCharacter || code == .trailingContent else { return nil }
        let byte = tape.withBytes { $0.byte(at: offset) }
        return 0x21...0x7E ~= byte
            ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x" + String(byte, radix: 16, uppercase: true)
    }

    private func snippet(before offset: Int) -> String? {
        var snippet = Snippet(before: offset, of: tape.byteCount)
        let open = Set(tape.openContainers(innermost: openContainer))
        for key in 0..<tape.count where tape.isMaskable(key) {
            let end = open.contains(key + 1) ? tape.byteCount : endOfValue(at: key + 1)
            // Few keys stand near the fault; only those are read.
            guard end > snippet.window.lowerBound, mask.hides(tape.string(at: key)) else { continue }
            snippet.mask(tape[key].offset + tape[key].extent + 1..<end)
        }
        return snippet.text(tape)
    }

    /// Where a value has ended at the latest. The end of the text if it was still being read.
    private func endOfValue(at index: Int) -> Int {
        index < tape.count ? tape.latestEnd(of: index) : tape.byteCount
    }
}

extension Tape {
    /// Whether the word at `index` is a key that a mask may know.
    func isMaskable(_ index: Int) -> Bool {
        let word = self[index]
        // A name of 64 characters, each of them written as an escape.
        return word.isString && word.extent <= 64 * 6 && isKey(endingAt: word.offset + word.extent)
    }

    /// Where a value has ended at the latest: where the next one begins, with nothing but brackets, commas
    /// and space between. The end of the text if it is the last.
    func latestEnd(of index: Int) -> Int {
        guard self[index].isContainer else { return scalarRange(of: index).upperBound }
        let next = next(after: index)
        return next < count ? startOffset(of: next) : byteCount
    }

    /// Whether a colon follows the closing quote at `offset`.
    private func isKey(endingAt offset: Int) -> Bool {
        withBytes { text in
            var position = offset + 1
            while Indexer.isWhitespace(text.byte(at: position)) { position += 1 }
            return text.byte(at: position) == 0x3A
        }
    }
}
