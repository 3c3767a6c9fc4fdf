/// Names of two words, as sentences and tables have them: `API key: …`, `Card number: …`.
extension SecretText {
    /// Words whose meaning the word before them decides.
    private static let heads: [StaticString] = ["key", "number", "code", "id", "answer", "phrase"]
    /// Words that make a `code` harmless.
    static let codeKinds: [StaticString] = [
        "zip", "postal", "post", "error", "status", "exit", "response", "return", "reason", "result", "country", "currency", "language", "area", "promo",
        "coupon", "discount", "product", "item", "airport", "color", "colour", "http", "region", "category", "source", "qr",
    ]

    /// Returns a name with the word before it; nil if that decides nothing.
    func phrase(_ text: TextBytes, _ last: Range<Int>) -> Range<Int>? {
        guard text[last.lowerBound - 1] == 0x20, Self.isWord(Self.heads, text, last) else { return nil }
        let start = wordStart(text, last.lowerBound - 1)
        return start < last.lowerBound - 1 ? start..<last.upperBound : nil
    }

    private func wordStart(_ text: TextBytes, _ end: Int) -> Int {
        var start = end
        while start > 0, end - start < 24, TextBytes.isAlphanumeric(text[start - 1]) { start -= 1 }
        return start
    }

    /// `with password 'x'`, `the token (x) is wrong`, `API key [x]`. A parser's message has names of its own in quotes, as in
    /// `unexpected token 'x'`: but for a password, the text inside must look like a key.
    func quotedWord(_ text: TextBytes, _ place: Int) -> Finding? {
        guard text[place - 1] == 0x20, TextBytes.isAlphanumeric(text[place - 2]), text[place + 1] > 0x20 else { return nil }
        var start = place - 1
        while start > 0, place - start < 40, Self.isNamePart(text[start - 1]) { start -= 1 }
        let name = start..<place - 1
        guard let kind = phrase(text, name).flatMap({ rule(text, $0, Self.opaque) }) ?? rule(text, name, Self.opaque) else { return nil }
        if kind == .password, let mark = QuoteMark.starting(text, place) {
            guard let closing = mark.closing(text), closing.lowerBound > place + 1, !Prose.isSentence(text, place + 1..<closing.lowerBound) else { return nil }
            return Finding(range: place + 1..<closing.lowerBound, rule: .password)
        }
        let inside = place + 1..<text.end(from: place + 1, upTo: 2048, while: TextBytes.isCredential)
        guard "\"')]".utf8.contains(text[inside.upperBound]), KeyShape.isKey(text, inside) else { return nil }
        return Finding(range: inside, rule: kind)
    }
}
