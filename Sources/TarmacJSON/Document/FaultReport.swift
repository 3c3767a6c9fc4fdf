/// Creates an error from the place where indexing stopped.
struct FaultReport {
    let tape: Tape
    /// The innermost open container; -1 for none.
    let openContainer: Int
    let mask: KeyMask

    func error(_ failure: Indexer.Failure) -> JSONError {
        var lines = LineIndex()
        let position = tape.withBytes { lines.position(of: failure.offset, in: $0) }
        return JSONError(
            failure.code, path: mask.masked(tape.openPath(innermost: openContainer)), offset: failure.offset, line: position.line,
            column: position.column, expected: failure.expected, found: found(at: failure.offset, code: failure.code),
            snippet: snippet(before: failure.offset))
    }

    private func found(at offset: Int, code: JSONError.Code) -> String? {
        guard offset < tape.byteCount, code != .unexpectedEnd else { return "the end of the document" }
        guard code == .unexpectedCharacter || code == .trailingContent else { return nil }
        let byte = tape.withBytes { $0.byte(at: offset) }
        return 0x21...0x7E ~= byte
            ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x" + String(byte, radix: 16, uppercase: true)
    }

    private func snippet(before offset: Int) -> String? {
        guard offset > 0 else { return nil }
        var snippet = Snippet(before: offset, of: tape.byteCount)
        let open = Set(tape.openContainers(innermost: openContainer))
        for key in 0..<tape.count where tape.isMaskable(key) {
            let end = open.contains(key + 1) ? tape.byteCount : endOfValue(at: key + 1)
            // Few keys are near the fault; only those are read.
            guard end > snippet.window.lowerBound, mask.hides(tape.string(at: key)) else { continue }
            snippet.mask(tape[key].offset + tape[key].extent + 1..<end)
        }
        for word in 0..<tape.count where tape.endOffset(ofStringAt: word) > snippet.window.lowerBound && tape.isWrappedText(at: word) {
            snippet.mask(tape.scalarRange(of: word))
        }
        if let start = unfinishedText(before: offset) { snippet.mask(start..<tape.byteCount) }
        return snippet.text(tape)
    }

    /// Returns the start of the string with JSON that was being read.
    private func unfinishedText(before offset: Int) -> Int? {
        var start = 0
        if tape.count > 0 {
            let last = tape[tape.count - 1]
            start = last.isContainer ? last.offset + 1 : last.offset + last.extent + (last.isString ? 1 : 0)
        }
        return tape.withBytes { text in
            guard start < offset, let quote = (start..<min(offset, text.count)).first(where: { text.byte(at: $0) == 0x22 }) else { return nil }
            return Tape.isWrapped(text, from: quote + 1, to: text.count) ? quote : nil
        }
    }

    /// Returns the latest possible end of a value; the end of the text if it was still being read.
    private func endOfValue(at index: Int) -> Int {
        index < tape.count ? tape.latestEnd(of: index) : tape.byteCount
    }
}

extension Tape {
    /// Whether the word at `index` is a string that contains JSON, whose names no mask sees.
    func isWrappedText(at index: Int) -> Bool {
        let word = self[index]
        guard word.isString, !isMaskable(index) else { return false }
        return withBytes { Self.isWrapped($0, from: word.offset, to: word.offset + word.extent) }
    }

    /// Whether a bracket, possibly escaped, is the first character of `text` that is not white space.
    static func isWrapped(_ text: Span<UInt8>, from start: Int, to end: Int) -> Bool {
        var place = start
        while place < end {
            switch text.byte(at: place) {
            case 0x7B, 0x5B: return true
            case 0x20: place += 1
            case 0x5C:
                // White space and brackets may be escapes: \n, \t, \u007b.
                if text.byte(at: place + 1) == 0x75 { return true }
                place += 2
            default: return false
            }
        }
        return false
    }

    /// Returns the end of the string at `index`, after its quote; 0 if it is not a string.
    func endOffset(ofStringAt index: Int) -> Int {
        let word = self[index]
        return word.isString ? word.offset + word.extent + 1 : 0
    }

    /// Whether the word at `index` is a key.
    func isMaskable(_ index: Int) -> Bool {
        let word = self[index]
        return word.isString && isKey(endingAt: word.offset + word.extent)
    }

    /// Returns the latest possible end of a value: the start of the next one, with only brackets, commas and white
    /// space between. For the last value it is the end of the text.
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
