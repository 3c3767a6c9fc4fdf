extension Tape {
    /// Returns the element at `position` of the array at `index`; nil beyond its end.
    func element(_ position: Int, of index: Int) -> Int? {
        guard position >= 0 else { return nil }
        let end = end(of: index)
        var child = index + 1
        var left = position
        while child < end {
            if left == 0 { return child }
            left &-= 1
            child = next(after: child)
        }
        return nil
    }

    /// Whether keys are equal by their Unicode scalars (RFC 8259 §8.3). A string is only created for a key with
    /// escapes.
    @inline(__always)
    func isKey(_ index: Int, equalTo key: Span<UInt8>) -> Bool {
        let word = self[index]
        if word.kind == .escapedString { return isEscaped(word, equalTo: key) }
        return withText(of: word) { $0.hasSameBytes(as: key) }
    }

    @inline(never)
    private func isEscaped(_ word: TapeWord, equalTo key: Span<UInt8>) -> Bool {
        // An escape is longer than its character.
        guard word.extent > key.count else { return false }
        let text = withText(of: word) { StringReader.string(unescaping: $0) }
        return text.withText { $0.hasSameBytes(as: key) }
    }
}
