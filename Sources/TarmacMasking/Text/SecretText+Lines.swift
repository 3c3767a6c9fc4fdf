/// `Authorization: Custom …` and `token: 7f3a…`.
extension SecretText {
    /// - Parameter length: the bytes of the colon, which may be of full width.
    func line(_ text: TextBytes, _ colon: Int, length: Int = 1) -> Finding? {
        guard let name = lineName(text, colon, isWide: length == 3) else { return nil }
        let start = name.lowerBound, isStart = isLineStart(text, start)
        var value = text.end(from: colon + length, while: TextBytes.isBlank)
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
            let quote = openQuote(text, start), indent = isStart ? start : nil
            let head = lineEnd(text, value, quote: quote, indentedAs: indent, upTo: Self.judged)
            let isHeader = isField || text[start] &- 0x41 < 26 && name.contains { text[$0] == UInt8(ascii: "-") }
            guard value < head, isHeader || !Prose.isSentence(text, value..<head), let rule = rule(text, name, in: value..<head) else { return nil }
            return Finding(range: value..<lineEnd(text, value, quote: quote, indentedAs: indent), rule: rule)
        }
        return isPosition(text, name, value) ? nil : word(text, name, value, kind)
    }

    /// Returns the name before a colon, if its value may be secret: `token`, and `key` after `API`.
    ///
    /// A text with colons of full width has no blanks between words. Then the name is searched for in the few characters before one.
    private func lineName(_ text: TextBytes, _ colon: Int, isWide: Bool) -> Range<Int>? {
        var end = colon
        while end > 0, colon - end < 32, TextBytes.isBlank(text[end - 1]) { end -= 1 }
        var start = end
        let limit = isWide ? 24 : Self.longestName
        while start > 0, end - start < limit, Self.isNamePart(text[start - 1]), !isWide || text[start - 1] != 0xEF { start -= 1 }
        guard start < end else { return nil }
        // `a ? token : b` of a program.
        if end < colon, text[start - 1] == 0x20, text[start - 2] == UInt8(ascii: "?") { return nil }
        let name = start..<end
        guard let both = phrase(text, name) else { return mayBeSecret(text, name) ? name : nil }
        if mayBeSecret(text, both) { return both }
        let isHarmless = Self.isWord(["code"], text, name) && Self.isWord(Self.codeKinds, text, both.lowerBound..<start - 1)
        return !isHarmless && mayBeSecret(text, name) ? name : nil
    }

    /// `TokenFilter.java:42`
    private func isPosition(_ text: TextBytes, _ name: Range<Int>, _ value: Int) -> Bool {
        let end = text.end(from: value, upTo: 8, while: TextBytes.isDigit)
        return value == name.upperBound + 1 && end > value && !TextBytes.isAlphanumeric(text[end]) && name.contains { text[$0] == UInt8(ascii: ".") }
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
    ///
    /// - Parameter limit: the number of bytes after which the rest is not read. A value that turns out to be a sentence is read again
    ///   by the names in it.
    func lineEnd(_ text: TextBytes, _ start: Int, quote: UInt8?, indentedAs name: Int? = nil, upTo limit: Int = .max) -> Int {
        var end = start
        while end < text.count, end - start < limit, text[end] >= 0x20 || text[end] == 0x09, text[end] != quote {
            if text[end] == 0x5C, "\"nr".utf8.contains(text[end + 1]) { break }
            end += 1
        }
        while let name, quote == nil, end - start < limit, let next = folded(text, end, indentedAs: name) {
            end = text.end(from: next, upTo: limit) { $0 >= 0x20 || $0 == 0x09 }
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
