/// `Authorization: Custom …` and `token: 7f3a…`.
extension SecretText {
    func line(_ text: TextBytes, _ colon: Int) -> Finding? {
        var start = colon
        while start > 0, colon - start < Self.longestName, Self.isNamePart(text[start - 1]) { start -= 1 }
        var value = text.end(from: colon + 1, while: TextBytes.isBlank)
        guard start < colon, mayBeSecret(text, start..<colon) else { return nil }
        let name = start..<colon, isStart = isLineStart(text, start)
        if value < text.count, text[value] <= 0x20 {
            // A header field may be folded (RFC 9112 §5.2).
            guard isStart, let next = folded(text, value, indentedAs: start) else { return nil }
            value = next
        }
        guard value < text.count else { return nil }
        if QuoteMark.starting(text, value) != nil || text[value] == UInt8(ascii: "{") || text[value] == UInt8(ascii: "[") {
            return self.value(text, of: name, from: value)
        }
        if text.has("Optional(", at: value) || text.has("Some(", at: value) { return self.value(text, of: name, from: value) }
        let kind = rule(text, name, Self.opaque), isField = kind == .authorization || kind == .cookie
        if isStart || isField && !isLowercase(text, value) {
            let end = lineEnd(text, value, quote: openQuote(text, start), indentedAs: isStart ? start : nil)
            let isHeader = isField || text[start] &- 0x41 < 26 && name.contains { text[$0] == UInt8(ascii: "-") }
            guard value < end, isHeader || !Prose.isSentence(text, value..<end) else { return nil }
            return rule(text, name, in: value..<end).map { Finding(range: value..<end, rule: $0) }
        }
        return isPosition(text, name, value) ? nil : word(text, name, value, kind)
    }

    /// `TokenFilter.java:42`
    private func isPosition(_ text: TextBytes, _ name: Range<Int>, _ value: Int) -> Bool {
        let end = text.end(from: value, upTo: 8, while: TextBytes.isDigit)
        return value == name.upperBound + 1 && end > value && !TextBytes.isAlphanumeric(text[end]) && name.contains { text[$0] == UInt8(ascii: ".") }
    }

    /// `with password 'x'`. A parser's message has names of its own in quotes: `unexpected token 'x'`.
    func quotedWord(_ text: TextBytes, _ place: Int) -> Finding? {
        guard text[place - 1] == 0x20, TextBytes.isAlphanumeric(text[place - 2]), text[place + 1] > 0x20 else { return nil }
        var start = place - 1
        while start > 0, place - start < 40, Self.isNamePart(text[start - 1]) { start -= 1 }
        guard rule(text, start..<place - 1, Self.opaque) == .password, let mark = QuoteMark.starting(text, place) else { return nil }
        guard let closing = mark.closing(text), closing.lowerBound > place + 1, !Prose.isSentence(text, place + 1..<closing.lowerBound) else { return nil }
        return Finding(range: place + 1..<closing.lowerBound, rule: .password)
    }

    // In a sentence: a word is no secret, unless it is what a password may be; anything else is one.
    private func word(_ text: TextBytes, _ name: Range<Int>, _ start: Int, _ kind: SecretRule?) -> Finding? {
        var end = start
        while end < text.count, end - start < Self.judged, isWordPart(text, end) { end += 1 }
        guard start < end, let rule = rule(text, name, in: start..<end) else { return nil }
        let hasDigit = (start..<end).contains { TextBytes.isDigit(text[$0]) }, next = text.end(from: end, while: TextBytes.isBlank)
        if !hasDigit, end - start < 20 {
            guard kind == .password || kind == .pin || kind == .secret, !Prose.isState(text, start..<end) else { return nil }
            // The last word, or the last before a comma, is a password.
            if next > end, next < text.count, TextBytes.isAlphanumeric(text[next]) { return nil }
        } else if end - start <= 3, next > end, (text[next] | 0x20) &- 0x61 < 26 {
            // `3 attempts left`
            return nil
        }
        while end < text.count, isWordPart(text, end) { end += 1 }
        return Finding(range: start..<end, rule: rule)
    }

    private func isWordPart(_ text: TextBytes, _ place: Int) -> Bool {
        let byte = text[place]
        if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") { return TextBytes.isAlphanumeric(text[place + 1]) }
        return byte > 0x20 && !"\"'<>{}[]()\\`".utf8.contains(byte)
    }

    private func isLowercase(_ text: TextBytes, _ place: Int) -> Bool {
        text[place] &- 0x61 < 26 && !AuthSchemes.isScheme(text, place..<text.end(from: place, upTo: 30, while: TextBytes.isBase64URL))
    }

    // MARK: Lines

    /// Whether a name is the first word of a line, after blanks and the marks that tools print before a field.
    func isLineStart(_ text: TextBytes, _ start: Int) -> Bool {
        var place = start
        while place > 0, start - place < 64, TextBytes.isBlank(text[place - 1]) || "><*-#|\"'`".utf8.contains(text[place - 1]) { place -= 1 }
        return place == 0 || text[place - 1] == 0x0A || text[place - 1] == 0x0D || place < start && openQuote(text, start) != nil
            || text[place - 1] == UInt8(ascii: "n") && text[place - 2] == 0x5C
    }

    /// Returns the quotation mark directly before a name.
    private func openQuote(_ text: TextBytes, _ start: Int) -> UInt8? {
        let byte = text[start - 1]
        return byte == 0x22 || byte == 0x27 || byte == 0x60 ? byte : nil
    }

    private func indent(_ text: TextBytes, _ start: Int) -> Int {
        var place = start
        while place > 0, start - place < 64, TextBytes.isBlank(text[place - 1]) { place -= 1 }
        return start - place
    }

    /// Returns the end of a value that is the rest of its line, and of the lines that continue it.
    func lineEnd(_ text: TextBytes, _ start: Int, quote: UInt8?, indentedAs name: Int? = nil) -> Int {
        var end = text.end(from: start) { ($0 >= 0x20 || $0 == 0x09) && $0 != quote }
        if let escape = (start..<end).first(where: { text[$0] == 0x5C && "\"nr".utf8.contains(text[$0 + 1]) }) { end = escape }
        while let name, quote == nil, let next = folded(text, end, indentedAs: name) {
            end = text.end(from: next) { $0 >= 0x20 || $0 == 0x09 }
        }
        return end
    }

    /// Returns the start of the text of the next line if it continues the one of a name: it is indented more, and is no field.
    private func folded(_ text: TextBytes, _ lineEnd: Int, indentedAs name: Int) -> Int? {
        var place = lineEnd
        if text[place] == 0x0D { place += 1 }
        guard text[place] == 0x0A else { return nil }
        let start = text.end(from: place + 1, while: TextBytes.isBlank)
        guard start - place - 1 > indent(text, name), start < text.count, text[start] > 0x20 else { return nil }
        let end = text.end(from: start, upTo: Self.longestName, while: Self.isNamePart)
        return text[end] == UInt8(ascii: ":") || text[end] == UInt8(ascii: "-") ? nil : start
    }
}

extension TextBytes {
    func end(from start: Int, upTo limit: Int, while isPart: (UInt8) -> Bool) -> Int {
        var end = start
        while end < count, end - start < limit, isPart(bytes[end]) { end += 1 }
        return end
    }
}
