/// Whether a text is a part of a sentence, and no value (pure). `password: must be longer` has no secret.
enum Prose {
    /// The words of a message about a value: `token: expired`.
    private static let states: Set<String> = [
        "required", "invalid", "missing", "expired", "wrong", "incorrect", "none", "null", "nil", "undefined", "empty", "yes", "no", "ok", "unknown",
        "changed", "reset", "denied", "failed", "revoked", "optional", "string", "text", "set", "unset", "hidden", "blank", "forgotten", "mandatory",
        "weak", "strong", "short", "long", "mismatch", "unexpected", "rejected", "accepted", "disabled", "enabled", "redacted", "masked", "filtered",
        "removed", "present", "absent", "provided", "unauthorized", "forbidden", "true", "false", "error", "malformed", "unsupported", "valid", "used",
        "not", "please", "too", "default", "public", "private", "value", "name", "number", "integer", "boolean", "object", "array", "updated", "created",
    ]
    /// Words that a sentence has and a value has not.
    private static let links: Set<String> = [
        "a", "an", "the", "is", "are", "was", "were", "be", "been", "has", "have", "had", "must", "may", "can", "cannot", "could", "should", "will",
        "to", "of", "in", "on", "at", "for", "from", "with", "without", "by", "as", "and", "or", "not", "no", "does", "do", "did", "it", "this", "that",
        "requires", "required", "needs", "please", "see", "try", "use", "exclude", "option", "flag", "expects", "contains", "too", "more", "than", "if",
        "you", "your", "we", "already", "when", "but", "attempts", "left", "sets", "gives", "takes", "isn't", "doesn't", "can't", "expected", "after",
    ]

    /// Whether a text of one word or several is one that a message says. Its first 80 bytes count.
    static func isSentence(_ text: TextBytes, _ range: Range<Int>) -> Bool {
        let cut = range.prefix(80)
        let words = words(text, cut.startIndex..<cut.endIndex)
        guard words.count > 1 else { return words.first.map { states.contains($0.0) } ?? true }
        return words.allSatisfy(\.isWord) && words.contains { links.contains($0.0) }
            || states.contains(words[0].0) && words[0].isWord || words[0].isQuantity && words[1].isWord
    }

    /// Whether a word is one that a message says of a value.
    static func isState(_ text: TextBytes, _ range: Range<Int>) -> Bool { range.count <= 16 && states.contains(word(text, range)) }

    /// Whether a word is one that links the words of a sentence.
    static func isLink(_ text: TextBytes, _ range: Range<Int>) -> Bool { range.count <= 16 && links.contains(word(text, range)) }

    private static func word(_ text: TextBytes, _ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: text.bytes[range]), as: UTF8.self).lowercased()
    }

    /// The words without the punctuation around them.
    private static func words(_ text: TextBytes, _ range: Range<Int>) -> [(String, isWord: Bool, isQuantity: Bool)] {
        var words: [(String, Bool, Bool)] = []
        for part in text.bytes[range].split(whereSeparator: { $0 <= 0x20 }) {
            var start = part.startIndex, end = part.endIndex
            while start < end, isPunctuation(part[start]) { start += 1 }
            while end > start, isPunctuation(part[end - 1]) { end -= 1 }
            if start == end { continue }
            let bytes = part[start..<end]
            let isWord = bytes.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 == 0x27 || $0 == UInt8(ascii: "-") }
            let isQuantity = bytes.count <= 3 && bytes.allSatisfy(TextBytes.isDigit)
            words.append((String(decoding: bytes, as: UTF8.self).lowercased(), isWord || isQuantity, isQuantity))
        }
        return words
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool { ".,;:!?()[]{}<>\"'`*".utf8.contains(byte) }
}
